// What differs where thousands of pages were rewritten: written page by page, with nothing lost of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentOf, runCli, runWithin, type Ended } from '../support/cli.ts';
import { createTestMirror, type PageSpec, type TestMirror } from '../support/mirror-builder.ts';

let made: TestMirror;
let env: Record<string, string>;

const PAGES = 1200;
const MEGABYTES = 56;

function pages(word: string, count: number): PageSpec[] {
  const text = (page: number): string =>
    Array.from({ length: 50 }, (_, line) => `${word} ${page} ${line} ${word.repeat(100)}\n`).join('');
  return Array.from({ length: count }, (_, page) => ({
    id: `p${page}`,
    title: `Page ${page}`,
    text: text(page),
  }));
}

/** A space whose pages were all rewritten, and one that is gone. */
async function rewritten(count: number): Promise<TestMirror> {
  const mirror = await createTestMirror();
  const gone = { id: 'gone', title: 'Gone', pages: pages('kept', 3), files: [{ id: 'f', name: 'f', bytes: 'f' }] };
  await mirror.add({ spaces: [{ id: 'all', title: 'All', pages: pages('before', count) }, gone] });
  await mirror.add({ spaces: [{ id: 'all', title: 'All again', pages: pages('since', count) }] });
  return mirror;
}

beforeAll(async () => {
  made = await rewritten(PAGES);
  env = { DOCMIRROR_DATA_DIR: made.dataDir };
}, 60_000);

afterAll(() => made[Symbol.dispose]());

function inLittleMemory(...args: string[]): Promise<Ended> {
  return runWithin(MEGABYTES, args, { env });
}

describe('cli/commands/diff, of thousands of rewritten pages', () => {
  it('shows every text in less memory than they take together, and sums them up', async () => {
    const { code, stdout, stderr } = await inLittleMemory('diff', '1', '2', '--text');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.length).toBeGreaterThan(60 * 1024 * 1024);
    expect(stdout.match(/^changed page Page \d+ in All again all\/p\d+$/gm)).toHaveLength(PAGES);
    expect(stdout.match(/^ {2}\+since \d+ 49 (?:since){100}$/gm)).toHaveLength(PAGES);
    const [, last = ''] = /\n\n(.*)\n(.*)\n$/.exec(stdout) ?? [];
    expect(last).toMatch(/ differences from snapshot 1 to 2: 0 added, [\d,]+ changed, \d+ removed$/);
    expect(stdout.endsWith('What came or went with a space: --space ID lists it\n')).toBe(true);
  });

  it('answers the same with --json, as one document', async () => {
    const answered = await inLittleMemory('diff', '1', '2', '--json');
    expect([answered.code, answered.stderr]).toEqual([0, '']);
    const found = documentOf<{ changes: { kind: string; key: string; text: { added: number } | null }[] }>(answered);
    expect(answered.stdout === `${JSON.stringify(found)}\n`).toBe(true);
    expect(found).toMatchObject({ from: 1, to: 2, kind: null, space: null });
    const changed = found.changes.filter(({ kind, text }) => kind === 'page' && (text?.added ?? 0) >= 50);
    expect(new Set(changed.map(({ key }) => key)).size).toBe(PAGES);
  });
});

it('cli/commands/diff lists parents first, and what went with a space in the line of that space', async () => {
  using few = await rewritten(5);
  const diff = (...args: string[]): Promise<Ended> =>
    runCli(['diff', '1', '2', ...args], { env: { DOCMIRROR_DATA_DIR: few.dataDir } });
  const lines = (await diff()).stdout.split('\n');
  const kinds = lines.slice(1, -4).map((line) => line.split(/ +/)[1]);
  expect(kinds.slice(0, 3)).toEqual(['space', 'space', 'page']);
  expect(kinds.filter((kind) => kind === 'page')).toHaveLength(5);
  expect(lines.filter((line) => line.startsWith('removed'))).toEqual([
    expect.stringMatching(/^removed +space +Gone +with 3 pages, .*1 file.* gone$/),
  ]);
  expect((await diff('--space', 'gone')).stdout).toMatch(/^removed +file +f +gone\/f$/m);
});
