import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { differencesOf } from '../../src/export/layout/change-requests.ts';
import { exportSnapshot, type ExportProgress } from '../../src/export/index.ts';
import { readerAt } from '../../src/mirror/index.ts';
import { createTestMirror, type PageSpec, type TestMirror } from '../support/mirror-builder.ts';

const AMOUNT = 450;

function pages(from: number, text: (number: number) => string = () => 'Words'): PageSpec[] {
  return Array.from({ length: AMOUNT }, (_, index) => {
    const number = index + from;
    return { id: `p${number}`, title: `Page ${number}`, text: text(number) };
  });
}

/** A space, and a request that lacks its first page, has one more, and another text of a third. */
async function largeRequest(): Promise<TestMirror & { snapshot: number }> {
  const made = await createTestMirror();
  const edited = pages(1, (number) => (number === 7 ? 'Other words' : 'Words'));
  const requests = [
    { id: 'r1', number: 1, subject: 'Edit', pages: edited },
    { id: 'r2', number: 2, subject: 'Begun', pages: pages(0) },
  ];
  const snapshot = await made.add({ spaces: [{ id: 's1', title: 'Space', pages: pages(0), requests }] });
  return { ...made, snapshot };
}

it('export/layout/change-requests compares a request of very many pages in pieces: the daemon answered nobody, and no signal ended it, for minutes', async () => {
  using made = await largeRequest();
  const reader = readerAt(made.mirror, made.snapshot);
  const request = reader.one('change-request', 's1/r1');
  if (request === undefined) throw new Error('expected the request');
  const comparing = differencesOf({ reader, space: 's1', hasContent: true }, request);
  let turns = 0;
  let piece = comparing.next();
  for (; piece.done !== true; piece = comparing.next()) turns += 1;
  expect(turns).toBeGreaterThan(3);
  expect(piece.value).toMatchObject({
    added: new Map([['p450', 'Page 450']]),
    changed: new Map([['p7', 'Page 7']]),
    removed: new Map([['p0', 'Page 0']]),
  });
});

it('export/layout/change-requests writes a request with the pages that differ, and one that changes none by itself', async () => {
  using made = await largeRequest();
  const folder = mkdtempSync(join(tmpdir(), 'differences-'));
  try {
    const to = join(folder, 'tree');
    await exportSnapshot({ mirror: made.mirror, snapshot: made.snapshot, to });
    const within = readdirSync(to, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes('1-edit/'));
    expect(within.map((path) => path.slice(path.indexOf('1-edit/'))).toSorted()).toEqual([
      '1-edit/README.md',
      '1-edit/page-450.md',
      '1-edit/page-7.md',
    ]);
    const begun = readdirSync(to, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes('2-begun/'));
    expect(begun.map((path) => path.slice(path.indexOf('2-begun/')))).toEqual(['2-begun/README.md']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('export tells how many change requests it has come by: it stood at its last page while it wrote thousands of them', async () => {
  using made = await createTestMirror();
  const requests = Array.from({ length: 300 }, (_, at) => ({
    id: `r${at}`,
    number: at + 1,
    subject: 'Edit',
    pages: [],
  }));
  const one = { id: 'p1', title: 'Page', text: 'Words' };
  const snapshot = await made.add({ spaces: [{ id: 's1', title: 'Space', pages: [one], requests }] });
  const folder = mkdtempSync(join(tmpdir(), 'progress-'));
  const seen = new Set<number>();
  try {
    const onProgress = ({ changeRequests }: ExportProgress): unknown => seen.add(changeRequests);
    await exportSnapshot({ mirror: made.mirror, snapshot, to: join(folder, 'tree'), onProgress });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  expect([...seen].slice(0, 3)).toEqual([0, 1, 2]);
  expect([...seen].at(-1)).toBe(300);
});
