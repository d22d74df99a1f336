import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkExport, exportSnapshot, type ExportResult } from '../../src/export/index.ts';
import { givenExportPlace, readTree } from '../support/export-place.ts';
import { type PageSpec, type TestMirror, type WorldSpec } from '../support/mirror-builder.ts';

let world: TestMirror;
let above: string;
let to: string;
givenExportPlace((place) => ({ world, above, to } = place));

const PAGES: PageSpec[] = [
  { id: 'p1', title: 'Welcome', text: 'See [guide](/pages/p2), ![pic](/files/f1), [other](/spaces/s2/pages/q1).' },
  { id: 'p2', title: 'Guide', text: 'text', pages: [{ id: 'p3', title: 'Deep', text: '`/pages/p1`' }] },
  { id: 'g1', title: 'Group', type: 'group', pages: [{ id: 'p4', title: '日本語', text: 'x' }] },
];

function sample(pages: PageSpec[] = PAGES): WorldSpec {
  return {
    collections: [
      { id: 'c1', title: 'Data' },
      { id: 'c2', title: 'SQL', parent: 'c1' },
    ],
    spaces: [
      {
        id: 's1',
        title: 'My Space',
        parent: 'c2',
        pages,
        files: [{ id: 'f1', name: 'pic.png', bytes: 'png' }],
        comments: [{ id: 'k1', markdown: 'hi' }],
        requests: [
          {
            id: 'r1',
            number: 7,
            subject: 'Fix the guide',
            pages: [
              { id: 'p1', title: 'Welcome', text: PAGES[0]?.text ?? '' },
              {
                id: 'p2',
                title: 'Guide',
                text: 'better, see [w](/pages/p1), [n](/pages/n1), ![i](/files/f1)',
                pages: [],
              },
              { id: 'n1', title: 'New', text: 'new' },
            ],
            files: [{ id: 'f1', name: 'pic.png', bytes: 'png' }],
          },
        ],
      },
      { id: 's2', title: 'Other', pages: [{ id: 'q1', title: 'Q', text: 'back [w](/spaces/s1/pages/p1#top)' }] },
      { id: 's3', title: 'My space', parent: 'c2', pages: [] },
    ],
  };
}

async function run(spec: WorldSpec = sample()): Promise<ExportResult> {
  return exportSnapshot({ mirror: world.mirror, snapshot: await world.add(spec), to });
}

function tree(folder = to): Record<string, string> {
  return readTree(folder, ['.docmirror-index.db']);
}

const SPACE = 'acme/data/sql/my-space';

describe('export/export-snapshot', () => {
  it('writes a folder per organization, collection and space, with links that work offline', async () => {
    const result = await run();
    const files = tree();
    expect(Object.keys(files).filter((path) => !path.includes('my-space-'))).toEqual([
      '.docmirror-export.json',
      'README.md',
      'SHA256SUMS',
      `${SPACE}.change-requests/7-fix-the-guide/README.md`,
      `${SPACE}.change-requests/7-fix-the-guide/guide.md`,
      `${SPACE}.change-requests/7-fix-the-guide/new.md`,
      `${SPACE}.comments.jsonl`,
      `${SPACE}/SUMMARY.md`,
      `${SPACE}/assets/pic.png`,
      `${SPACE}/group/日本語.md`,
      `${SPACE}/guide.md`,
      `${SPACE}/guide/deep.md`,
      `${SPACE}/welcome.md`,
      'acme/other/SUMMARY.md',
      'acme/other/q.md',
    ]);
    expect(result).toMatchObject({
      spaces: 3,
      pages: 5,
      files: 1,
      changeRequests: 1,
      missing: 0,
      unchanged: 0,
      removed: 0,
    });
    expect(result.written).toBe(Object.keys(files).length - 2);
    expect(readdirSync(to)).toContain('.docmirror-index.db');
    expect(files[`${SPACE}/welcome.md`]).toContain(
      'See [guide](guide.md), ![pic](assets/pic.png), [other](../../../other/q.md).',
    );
    expect(files['acme/other/q.md']).toContain('[w](../data/sql/my-space/welcome.md#top)');
    expect(files[`${SPACE}/guide/deep.md`]).toContain('`/pages/p1`');
    expect(JSON.parse(files[`${SPACE}.comments.jsonl`] ?? '')).toMatchObject({
      kind: 'comment',
      body: { body: { markdown: 'hi' } },
    });
  });

  it('shows of a change request what differs, with links to the rest in the space', async () => {
    await run();
    const files = tree(join(to, `${SPACE}.change-requests/7-fix-the-guide`));
    expect(files['guide.md']).toBe(
      '# Guide\n\nbetter, see [w](../../my-space/welcome.md), [n](new.md), ![i](../../my-space/assets/pic.png)',
    );
    expect(files['README.md']).toMatch(/^---\nnumber: 7\nsubject: Fix the guide\nstatus: open\n/);
    expect(files['README.md']).toContain(
      '## Added\n\n* New\n\n## Changed\n\n* Guide\n\n## Removed\n\n* Group\n* Deep\n* 日本語\n',
    );
  });

  it.each([true, false])(
    'says of a change request that is behind its space what that means: new pages stood under Removed (outdated %j)',
    async (outdated) => {
      const { spaces, ...rest } = sample();
      const requests = [{ id: 'r1', number: 1, subject: 'Old', outdated, pages: [{ id: 'n1', title: 'New' }] }];
      await run({ ...rest, spaces: spaces.map((space) => (space.id === 's2' ? { ...space, requests } : space)) });
      const text = readFileSync(join(to, 'acme/other.change-requests/1-old/README.md'), 'utf8');
      expect(text.includes('It is behind the space: what the space has changed since shows here')).toBe(outdated);
    },
  );

  it('passes sha256sum -c', async () => {
    await run();
    const out = execFileSync('sha256sum', ['-c', '--strict', 'SHA256SUMS'], { cwd: to, encoding: 'utf8' });
    expect(
      out
        .trim()
        .split('\n')
        .every((line) => line.endsWith(': OK')),
    ).toBe(true);
    expect(await checkExport(to)).toEqual([]);
    expect(JSON.parse(readFileSync(join(to, '.docmirror-export.json'), 'utf8'))).toMatchObject({
      snapshot: 1,
      origin: 'http://platform.test',
      state: 'complete',
    });
  });

  it('writes nothing the second time and says which snapshot it shows now', async () => {
    const first = await run();
    const inode = statSync(join(to, SPACE, 'guide.md')).ino;
    const second = await run();
    expect(second).toMatchObject({ written: 0, removed: 0, unchanged: first.written });
    expect(statSync(join(to, SPACE, 'guide.md')).ino).toBe(inode);
    expect(JSON.parse(readFileSync(join(to, '.docmirror-export.json'), 'utf8'))).toMatchObject({ snapshot: 2 });
    expect(readdirSync(above)).toEqual(['content']);
  });

  it('writes what changed, drops what is gone, and equals an export made anew', async () => {
    await run();
    const inode = statSync(join(to, SPACE, 'assets/pic.png')).ino;
    const pages = [{ ...PAGES[0], id: 'p1', title: 'Welcome', text: 'changed' }, ...PAGES.slice(2)];
    const result = await run(sample(pages));
    // The page, the table of contents, and the change request's README and guide, which is now an addition.
    expect(result).toMatchObject({ removed: 2, pages: 3 });
    expect(result.written).toBeLessThan(6);
    expect(statSync(join(to, SPACE, 'assets/pic.png')).ino).toBe(inode);
    const anew = join(above, 'anew');
    await exportSnapshot({ mirror: world.mirror, snapshot: 2, to: anew });
    expect(tree()).toEqual(tree(anew));
    expect(await checkExport(to)).toEqual([]);
  });

  it('is never away for longer than it takes to rename: whoever read it while it was replaced found no folder for many milliseconds', async () => {
    await run();
    let isAway = false;
    let looking = setImmediate(function look() {
      isAway ||= !existsSync(to);
      looking = setImmediate(look);
    });
    for (const title of ['One', 'Two', 'Three']) await run(sample([...PAGES, { id: 'p9', title, text: title }]));
    clearImmediate(looking);
    expect(isAway).toBe(false);
  });

  it('makes good what somebody changed or removed in the export', async () => {
    await run();
    const before = tree();
    const later = new Date(statSync(join(to, 'SHA256SUMS')).mtimeMs + 5000);
    const sameSize = (before[`${SPACE}/guide.md`] ?? '').replace('text', 'TEXT');
    writeFileSync(join(to, SPACE, 'guide.md'), sameSize);
    utimesSync(join(to, SPACE, 'guide.md'), later, later);
    rmSync(join(to, SPACE, 'welcome.md'));
    writeFileSync(join(to, 'mine.txt'), 'x');
    expect((await checkExport(to)).map(({ which, problem }) => `${which}: ${problem}`).sort()).toEqual([
      `${SPACE}/guide.md: its bytes have another hash`,
      `${SPACE}/welcome.md: missing`,
      'mine.txt: not part of the export',
    ]);
    expect(await run()).toMatchObject({ written: 2, foreign: 1 });
    const { '.docmirror-export.json': _then, ...rest } = before;
    const { '.docmirror-export.json': _now, ...after } = tree();
    expect(after).toEqual({ ...rest, 'mine.txt': 'x' });
  });

  it('puts the list of sums back when it was edited or removed, and not when it was only copied', async () => {
    await run();
    const before = tree();
    const list = join(to, 'SHA256SUMS');
    const { ino } = statSync(list);
    const later = new Date(statSync(list).mtimeMs + 5000);
    utimesSync(list, later, later);
    expect(await run()).toMatchObject({ written: 0 });
    expect(statSync(list).ino).toBe(ino);
    writeFileSync(list, (before['SHA256SUMS'] ?? '').replace(/[0-9a-f]{64}/, '0'.repeat(64)));
    expect(await run()).toMatchObject({ written: 0 });
    expect(tree()['SHA256SUMS']).toBe(before['SHA256SUMS']);
    rmSync(list);
    expect(await run()).toMatchObject({ written: 0 });
    expect(tree()['SHA256SUMS']).toBe(before['SHA256SUMS']);
  });

  it('exports an earlier snapshot as it stood', async () => {
    await run();
    const before = tree();
    await run(sample(PAGES.slice(0, 1)));
    await exportSnapshot({ mirror: world.mirror, snapshot: 1, to });
    expect(tree()).toEqual(before);
  });

  it('refuses a folder that holds something else, and leaves it alone', async () => {
    mkdirSync(to);
    writeFileSync(join(to, 'thesis.txt'), 'years of work');
    await expect(run()).rejects.toMatchObject({
      code: 'DM_USAGE',
      hint: expect.stringContaining('Nothing was changed'),
    });
    expect(tree()).toEqual({ 'thesis.txt': 'years of work' });
    const file = join(above, 'file');
    writeFileSync(file, '');
    await expect(exportSnapshot({ mirror: world.mirror, snapshot: 1, to: file })).rejects.toMatchObject({
      message: expect.stringContaining('it is not a folder') as string,
    });
    await expect(exportSnapshot({ mirror: world.mirror, snapshot: 1, to: '/' })).rejects.toMatchObject({
      message: expect.stringContaining('it is the root of the disk') as string,
    });
    await expect(exportSnapshot({ mirror: world.mirror, snapshot: 9, to })).rejects.toMatchObject({
      code: 'DM_SNAPSHOT_UNKNOWN',
    });
  });

  it('leaves the last export whole when it cannot finish', async () => {
    await run();
    const before = tree();
    const broken = sample([...PAGES, { id: 'p9', title: 'Late' }]);
    broken.spaces[1] = { id: 's2', title: 'Other', files: [{ id: 'f2', name: 'b.png', bytes: 'lost' }] };
    const snapshot = await world.add(broken);
    for (const object of world.mirror.objects.list())
      if (readFileSync(world.mirror.objects.pathOf(object), 'utf8') === 'lost')
        rmSync(world.mirror.objects.pathOf(object));
    await expect(exportSnapshot({ mirror: world.mirror, snapshot, to })).rejects.toMatchObject({
      code: 'DM_CHECK_FAILED',
      hint: 'Run `docmirror check --read-data`, then `docmirror sync --full`. The last export was left as it is.',
    });
    expect(tree()).toEqual(before);
    expect(readdirSync(above)).toEqual(['content']);
  });

  it('stops at an abort and leaves the last export whole', async () => {
    await run();
    const before = tree();
    const aborter = new AbortController();
    const snapshot = await world.add(sample(PAGES.slice(1)));
    const options = { mirror: world.mirror, snapshot, to, signal: aborter.signal, onProgress: () => aborter.abort() };
    await expect(exportSnapshot(options)).rejects.toMatchObject({ name: 'AbortError' });
    expect(tree()).toEqual(before);
    expect(readdirSync(above)).toEqual(['content']);
  });

  it('does not take damaged bytes of the mirror for the file', async () => {
    const snapshot = await world.add(sample());
    for (const object of world.mirror.objects.list()) writeFileSync(world.mirror.objects.pathOf(object), 'PNG');
    await expect(exportSnapshot({ mirror: world.mirror, snapshot, to })).rejects.toMatchObject({
      code: 'DM_CHECK_FAILED',
      // It said that the last export was left as it is, of which there was none.
      hint: 'Run `docmirror check --read-data`, then `docmirror sync --full`. Nothing was written.',
    });
    expect(existsSync(to)).toBe(false);
  });

  it('recovers from a kill at any point of the swap', async () => {
    const [building, retired] = [join(above, '.content.docmirror-new'), join(above, '.content.docmirror-old')];
    await run();
    const old = tree();
    // While building.
    mkdirSync(join(building, 'acme'), { recursive: true });
    writeFileSync(join(building, 'acme/half.md'), 'ha');
    await run();
    expect(Object.keys(tree())).toEqual(Object.keys(old));
    // Between the two renames, the new one whole.
    renameSync(to, retired);
    await exportSnapshot({ mirror: world.mirror, snapshot: 1, to: join(above, 'built') });
    renameSync(join(above, 'built'), building);
    rmSync(join(retired, 'README.md'));
    expect(await run()).toMatchObject({ written: 0 });
    expect(readdirSync(above)).toEqual(['content']);
    // Before the old one was removed.
    mkdirSync(retired);
    await run();
    expect(readdirSync(above)).toEqual(['content']);
    expect(await checkExport(to)).toEqual([]);
  });

  it('keeps a link at the target as a link', async () => {
    const real = join(above, 'real');
    mkdirSync(real);
    execFileSync('ln', ['-s', real, to]);
    await run();
    expect(readdirSync(above).sort()).toEqual(['content', 'real']);
    expect(existsSync(join(real, 'SHA256SUMS'))).toBe(true);
  });

  it('reports as missing what the mirror has no bytes of, and leaves the link', async () => {
    const pages = [{ id: 'p1', title: 'One', text: '![a](/files/f1)' }];
    const result = await run({
      spaces: [{ id: 's1', title: 'S', pages, files: [{ id: 'f1', name: 'a.png', bytes: null }] }],
    });
    expect(result).toMatchObject({ files: 0, missing: 1 });
    expect(readFileSync(join(to, 'acme/s/one.md'), 'utf8')).toBe('# One\n\n![a](/files/f1)');
  });

  it('finds every file again where there are hundreds of folders', async () => {
    const spaces = Array.from({ length: 150 }, (_, space) => ({
      id: `s${space}`,
      title: `Space ${space}`,
      pages: Array.from({ length: 10 }, (_none, page) => ({ id: `p${page}`, title: `Page ${page}`, text: 'x' })),
    }));
    expect(await run({ spaces })).toMatchObject({ pages: 1500, written: 1651 });
    writeFileSync(join(to, 'acme/space-149/mine.txt'), '');
    expect(await checkExport(to)).toHaveLength(1);
  });

  it('writes as many files as there are pages, whatever their titles', async () => {
    const titles = [
      'A',
      'a',
      'Á',
      'A\u0301',
      '../../x',
      '..',
      'con',
      'x'.repeat(300),
      '',
      '\u202Eb',
      'README',
      'SUMMARY',
    ];
    const spaces = titles.map((title, space) => ({
      id: `s${space}`,
      title,
      pages: titles.map((name, page) => ({ id: `p${page}`, title: name, text: 'x' })),
    }));
    const result = await run({ spaces });
    const markdown = Object.keys(tree()).filter(
      (path) => path.endsWith('.md') && !/(^|\/)(README|SUMMARY)\.md$/.test(path),
    );
    expect(markdown).toHaveLength(titles.length ** 2);
    expect(result.pages).toBe(titles.length ** 2);
    expect(readdirSync(above)).toEqual(['content']);
  });
});
