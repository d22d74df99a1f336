// An export brought up to date is the same as one made anew, whatever happened between; and it does only what it has to.
import {
  cpSync,
  type linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import { linkOrCopy } from '../../src/export/assemble.ts';
import { checkExport, exportSnapshot, type ExportResult } from '../../src/export/index.ts';
import { forget, prune } from '../../src/mirror/index.ts';
import { givenExportPlace, readTree } from '../support/export-place.ts';
import { createTestMirror, type PageSpec, type SpaceSpec, type TestMirror } from '../support/mirror-builder.ts';

let world: TestMirror;
let above: string;
let to: string;
givenExportPlace((place) => ({ world, above, to } = place));

function put(snapshot: number, folder = to, mirror = world.mirror): Promise<ExportResult> {
  return exportSnapshot({ mirror, snapshot, to: folder });
}

/** All files but what an export notes for itself. */
function tree(folder = to): Record<string, string> {
  return readTree(folder, ['.docmirror-index.db', '.docmirror-export.json']);
}

const SPACES = ['s0', 's1', 's2'];
const title = fc.constantFrom('Guide', 'guide', 'GUIDE', 'Setup', 'é', 'e\u0301', 'con', '../x');
const target = fc.oneof(
  fc.nat(5).map((page) => `/pages/p${page}`),
  fc
    .tuple(fc.constantFrom(...SPACES, 'nowhere'), fc.nat(6))
    .map(([space, page]) => `/spaces/${space}${page === 6 ? '' : `/pages/p${page}`}`),
  fc.nat(2).map((file) => `/files/f${file}`),
  fc
    .tuple(fc.constantFrom(...SPACES, 'nowhere'), fc.nat(6))
    .map(([space, page]) => `https://app.test/${space}${page === 6 ? '' : `/p${page}`}`),
);
const reference = fc.oneof(
  fc.record({ kind: fc.constant('page'), page: fc.nat(5).map((page) => `p${page}`) }),
  fc.record({
    kind: fc.constant('page'),
    page: fc.nat(5).map((page) => `p${page}`),
    space: fc.constantFrom(...SPACES),
  }),
  fc.record({ kind: fc.constant('space'), space: fc.constantFrom(...SPACES) }),
  fc.record({ kind: fc.constant('file'), file: fc.nat(2).map((file) => `f${file}`) }),
  fc.record({ kind: fc.constant('url'), url: target }),
);
const text = fc
  .array(
    fc.oneof(
      target.map((to) => `[x](${to})`),
      fc.constantFrom('word', '\n\n'),
    ),
  )
  .map((all) => all.join(' '));
const page = fc.record({
  title,
  text,
  below: fc.boolean(),
  kind: fc.constantFrom('document', 'document', 'group', 'link'),
  reference,
});
const pages = fc.array(fc.option(page), { maxLength: 6 });
const space = fc.record({
  title,
  pages,
  files: fc.array(fc.option(fc.tuple(fc.constantFrom('a.png', 'A.png', 'b.md'), fc.constantFrom('1', '2'))), {
    maxLength: 3,
  }),
  request: fc.option(pages),
  comment: fc.option(fc.constantFrom('hi', 'ho')),
});
const worlds = fc.array(fc.tuple(...SPACES.map(() => fc.option(space, { freq: 4 }))), { minLength: 2, maxLength: 4 });

type DrawnSpace = typeof space extends fc.Arbitrary<infer T> ? T : never;
type DrawnPages = DrawnSpace['pages'];

function toPages(drawn: DrawnPages, space: string): PageSpec[] {
  const roots: PageSpec[] = [];
  for (const [number, one] of drawn.entries()) {
    if (one === null) continue;
    const urls = { app: `https://app.test/${space}/p${number}` };
    const body = one.kind === 'link' ? { urls, target: one.reference } : { urls };
    const spec: PageSpec = { id: `p${number}`, title: one.title, text: one.text, type: one.kind, body, pages: [] };
    const parent = one.below ? roots.at(-1) : undefined;
    (parent?.pages ?? roots).push(spec);
  }
  return roots;
}

function toSpace(id: string, { title, pages, files, request, comment }: DrawnSpace): SpaceSpec {
  return {
    id,
    title,
    body: { urls: { app: `https://app.test/${id}` } },
    pages: toPages(pages, id),
    files: files.flatMap((file, number) =>
      file === null ? [] : [{ id: `f${number}`, name: file[0], bytes: file[1] }],
    ),
    requests: request === null ? [] : [{ id: 'r', number: 1, subject: title, pages: toPages(request, id) }],
    comments: comment === null ? [] : [{ id: 'k', markdown: comment }],
  };
}

describe('export/incremental', () => {
  it('equals an export made anew after any change, and an export of any earlier snapshot equals what it was then', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (steps) => {
        using own = await createTestMirror();
        const folder = mkdtempSync(join(above, 'run-'));
        const kept: Record<string, string>[] = [];
        for (const [step, drawn] of steps.entries()) {
          const spaces = drawn.flatMap((one, index) => (one === null ? [] : [toSpace(SPACES[index] ?? '', one)]));
          const snapshot = await own.add({ spaces });
          await put(snapshot, join(folder, 'content'), own.mirror);
          await put(snapshot, join(folder, `anew-${step}`), own.mirror);
          kept.push(tree(join(folder, 'content')));
          expect(kept.at(-1)).toEqual(tree(join(folder, `anew-${step}`)));
        }
        for (const [step, files] of kept.entries()) {
          await put(step + 1, join(folder, 'content'), own.mirror);
          expect(tree(join(folder, 'content'))).toEqual(files);
        }
        expect(await checkExport(join(folder, 'content'))).toEqual([]);
        expect(await put(kept.length, join(folder, 'content'), own.mirror)).toMatchObject({ written: 0, removed: 0 });
      }),
      { numRuns: 6 },
    );
  });

  it('makes again only the pages that changed and those whose links do', async () => {
    const one = (text: string, name = 'Target'): SpaceSpec => ({
      id: 's1',
      title: 'One',
      pages: [
        { id: 'p1', title: name, text },
        { id: 'p2', title: 'Linked', text: '[t](/pages/p1)' },
        { id: 'p3', title: 'Apart', text: 'x' },
      ],
    });
    const two = { id: 's2', title: 'Two', pages: [{ id: 'q', title: 'Q', text: '[t](/spaces/s1/pages/p1)' }] };
    await put(await world.add({ spaces: [one('a'), two] }));
    expect(await put(await world.add({ spaces: [one('b'), two] }))).toMatchObject({ written: 1 });
    // The page, its two links, and the table of contents.
    expect(await put(await world.add({ spaces: [one('b', 'Moved'), two] }))).toMatchObject({ written: 4, removed: 1 });
    expect(tree()['acme/two/q.md']).toContain('](../one/moved.md)');
  });

  it('leads links to a space to its table of contents, from pages and change requests, wherever it goes: they led nowhere offline', async () => {
    const link = 'See [all](/spaces/s1#end), [own](/spaces/s2) and [gone](/spaces/s9).';
    const spaces = (title: string): SpaceSpec[] => [
      { id: 's1', title, pages: [{ id: 'p', title: 'P', text: 'x' }] },
      {
        id: 's2',
        title: 'Two',
        pages: [{ id: 'q', title: 'Q', text: link }],
        requests: [{ id: 'r', number: 1, subject: 'Fix', pages: [{ id: 'q', title: 'Q', text: `${link} Better.` }] }],
      },
    ];
    await put(await world.add({ spaces: spaces('One') }));
    const written = (folder: string): [string | undefined, string | undefined] => [
      `# Q\n\nSee [all](../${folder}/SUMMARY.md#end), [own](SUMMARY.md) and [gone](/spaces/s9).`,
      `# Q\n\nSee [all](../../${folder}/SUMMARY.md#end), [own](../../two/SUMMARY.md) and [gone](/spaces/s9). Better.`,
    ];
    const found = (): unknown[] => [tree()['acme/two/q.md'], tree()['acme/two.change-requests/1-fix/q.md']];
    expect(found()).toEqual(written('one'));
    await put(await world.add({ spaces: spaces('Renamed') }));
    expect(found()).toEqual(written('renamed'));
  });

  it('keeps the name of a page when a sibling with the same title comes, and when it goes', async () => {
    const named = (...ids: string[]) => ({
      spaces: [{ id: 's1', title: 'S', pages: ids.map((id) => ({ id, title: 'Guide', text: id })) }],
    });
    const pathOf = (id: string): string | undefined =>
      Object.entries(tree()).find(([path, text]) => path.endsWith('.md') && text === `# Guide\n\n${id}`)?.[0];
    await put(await world.add(named('m')));
    const first = pathOf('m');
    expect(first).toBe('acme/s/guide.md');
    await put(await world.add(named('a', 'm', 'z')));
    expect(pathOf('m')).toBe(first);
    const [a, z] = [pathOf('a'), pathOf('z')];
    await put(await world.add(named('a', 'z')));
    expect([pathOf('a'), pathOf('z')]).toEqual([a, z]);
    await put(await world.add(named('a', 'm', 'z')));
    expect([pathOf('a'), pathOf('m'), pathOf('z')]).toEqual([a, first, z]);
  });

  it('keeps what a person has put into the folder, wherever it lies', async () => {
    const spaces = (text: string) => ({ spaces: [{ id: 's1', title: 'S', pages: [{ id: 'p', title: 'P', text }] }] });
    await put(await world.add(spaces('a')));
    mkdirSync(join(to, 'acme/s/notes'));
    writeFileSync(join(to, 'acme/s/notes/mine.md'), 'years of work');
    symlinkSync('/nowhere', join(to, 'acme/link'));
    writeFileSync(join(to, '.hidden'), '');
    expect(await put(await world.add(spaces('b')))).toMatchObject({ foreign: 3, written: 1 });
    // The space they lie in goes.
    expect(await put(await world.add({ spaces: [] }))).toMatchObject({ foreign: 3, removed: 2 });
    expect(readFileSync(join(to, 'acme/s/notes/mine.md'), 'utf8')).toBe('years of work');
    expect(readlinkSync(join(to, 'acme/link'))).toBe('/nowhere');
  });

  it("writes over no person's file where a new page would lie, with or without its index, unless it is the same", async () => {
    const spaces = (...titles: string[]) => ({
      spaces: [{ id: 's1', title: 'S', pages: titles.map((title) => ({ id: title, title, text: 'a' })) }],
    });
    await put(await world.add(spaces('P')));
    const same = readFileSync(join(to, 'acme/s/p.md'), 'utf8').replace('# P', '# Q');
    writeFileSync(join(to, 'acme/s/q.md'), 'years of work');
    const withBoth = await world.add(spaces('P', 'Q'));
    const before = tree();
    const refusal = { code: 'DM_USAGE', message: expect.stringContaining('"acme/s/q.md"') as unknown };
    await expect(put(withBoth)).rejects.toMatchObject(refusal);
    expect(tree()).toEqual(before);
    rmSync(join(to, '.docmirror-index.db'));
    await expect(put(withBoth)).rejects.toMatchObject(refusal);
    expect(readFileSync(join(to, 'acme/s/q.md'), 'utf8')).toBe('years of work');
    writeFileSync(join(to, 'acme/s/q.md'), same);
    expect(await put(withBoth)).toMatchObject({ foreign: 0 });
    expect(readFileSync(join(to, 'acme/s/q.md'), 'utf8')).toBe(same);
    // What is there is the export's from now on.
    writeFileSync(join(to, 'acme/s/q.md'), 'an edit');
    expect(await put(await world.add(spaces('P', 'Q', 'R')))).toMatchObject({ foreign: 0, written: 3 });
    expect(readFileSync(join(to, 'acme/s/q.md'), 'utf8')).toBe(same);
  });

  it("refuses with the name of a person's file that stands where a folder must be, and changes nothing", async () => {
    await put(await world.add({ spaces: [] }));
    writeFileSync(join(to, 'acme'), 'mine');
    const before = tree();
    const spaces = [{ id: 's1', title: 'S', pages: [{ id: 'p', title: 'P', text: 'a' }] }];
    await expect(put(await world.add({ spaces }))).rejects.toMatchObject({
      code: 'DM_USAGE',
      message: expect.stringContaining('"acme"'),
    });
    expect(tree()).toEqual(before);
    expect(readdirSync(above)).toEqual(['content']);
  });

  it('copies, and writes nothing again afterwards, where the file system has no links', () => {
    writeFileSync(join(above, 'a'), 'bytes');
    const refuse: typeof linkSync = () => {
      throw Object.assign(new Error('no links here'), { code: 'EPERM' });
    };
    expect(linkOrCopy(join(above, 'a'), join(above, 'b'), refuse)).toBe(false);
    expect(readFileSync(join(above, 'b'), 'utf8')).toBe('bytes');
    expect(linkOrCopy(join(above, 'a'), join(above, 'c'))).toBe(true);
    expect(statSync(join(above, 'c')).ino).toBe(statSync(join(above, 'a')).ino);
    expect(() => linkOrCopy(join(above, 'a'), join(above, 'b'), refuse)).toThrow('EEXIST');
  });

  it('needs no index: a lost or damaged one, or one of another tree, costs time only', async () => {
    const spaces = (text: string) => ({
      spaces: [
        {
          id: 's1',
          title: 'S',
          pages: [
            { id: 'p', title: 'P', text },
            { id: 'q', title: 'Q', text: 'q' },
          ],
        },
      ],
    });
    await put(await world.add(spaces('a')));
    cpSync(join(to, '.docmirror-index.db'), join(above, 'old-index'));
    await put(await world.add(spaces('b')));
    const wanted = tree();
    for (const spoil of [
      () => rmSync(join(to, '.docmirror-index.db')),
      () => writeFileSync(join(to, '.docmirror-index.db'), 'no database at all'),
      () => cpSync(join(above, 'old-index'), join(to, '.docmirror-index.db')),
    ]) {
      spoil();
      await put(2);
      expect(tree()).toEqual(wanted);
      expect(await put(2)).toMatchObject({ written: 0, foreign: 0 });
    }
    rmSync(join(above, 'old-index'));
    expect(readdirSync(above)).toEqual(['content']);
  });

  it('is right when the mirror forgot the snapshot of the last export, and when it is another mirror', async () => {
    const spaces = (text: string) => ({ spaces: [{ id: 's1', title: 'S', pages: [{ id: 'p', title: 'P', text }] }] });
    for (const text of ['a', 'b', 'c']) await world.add(spaces(text));
    await put(2);
    atOnce(forget(world.mirror, { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 }));
    atOnce(prune(world.mirror));
    expect(await put(3)).toMatchObject({ written: 1 });
    using other = await createTestMirror();
    for (const text of ['x', 'y', 'z']) await other.add(spaces(text));
    await put(3, to, other.mirror);
    expect(tree()['acme/s/p.md']).toBe('# P\n\nz');
  });

  it('writes a file again that has another size, another time, or is gone, and none else', async () => {
    const all = ['a', 'b', 'c', 'd'].map((id) => ({ id, title: id, text: 'x' }));
    await put(await world.add({ spaces: [{ id: 's1', title: 'S', pages: all }] }));
    const wanted = tree();
    writeFileSync(join(to, 'acme/s/a.md'), '# a\n\ny');
    writeFileSync(join(to, 'acme/s/b.md'), 'longer than it was');
    renameSync(join(to, 'acme/s/c.md'), join(above, 'c.md'));
    expect(await put(1)).toMatchObject({ written: 3, foreign: 0 });
    expect(tree()).toEqual(wanted);
  });
});
