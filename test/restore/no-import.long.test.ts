// A target without an import, as the public platform has none today: its content is inserted page by page.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addRequest, addSpace, edit, flatten, importFiles, insert, pagesOf, PNG } from '../support/content.ts';
import { bare, mirroredAnew, type Bare } from '../support/in-place.ts';
import { createTarget, withoutImport, type Target } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import type { TestWorld } from '../support/world.ts';

const NOT_FOUND = { status: 404, body: { error: { code: 404, message: 'Not found' } } };

let world: TestWorld;
let place: Bare['place'];
let target: Target;

async function start(there: Bare): Promise<void> {
  ({ world, place } = there);
  target = await createTarget(world);
  withoutImport(target.platform);
}

afterEach(async () => {
  await target[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

async function expectExact(restore: string): Promise<void> {
  const { differences, passed } = await target.verify(restore);
  expect(differences.filter((one) => one.class === 'exact')).toEqual([]);
  expect(passed).toBe(true);
}

const anew = mirroredAnew();

describe('restore apply on a platform without import', () => {
  beforeEach(async () => start(await anew()));

  it('brings everything back, pages, files, links and change requests, and notes that it inserts in words that do not change: each space failed with its 404, and another program that went on with it imported all of it again', async () => {
    const applied = await target.apply(await target.plan());
    expect([applied.failures, applied.lacking]).toEqual([[], 0]);
    await expectExact(applied.restore);
    const writes = target.writes().filter((one) => one.endsWith('/import'));
    expect(writes).toHaveLength(1);
    const sql = `select json_extract(detail, '$.how') as how from restore_steps where restore = ? and detail like '%page by page%'`;
    const ways = rowsOf(world.mirror, sql, applied.restore).map(({ how }) => String(how));
    expect(ways.length).toBeGreaterThan(0);
    for (const how of ways) expect(how).toMatch(/^page by page, as the target has no import(?:,|$)/);
  });

  it.each(['lost', 'killed'] as const)('does so once where each write is %s', async (cut) => {
    const { restore, result } = await target.endure(await target.plan(), cut);
    expect(result.failures).toEqual([]);
    await expectExact(restore);
    const { items } = await target.client.api.listChangeRequests({
      path: { spaceId: await target.spaceCalled('News') },
      query: { status: 'merged' },
    });
    expect(new Set(items.map(({ subject }) => subject)).size).toBe(items.length);
  });

  it('leaves what it brings for review to people', async () => {
    const applied = await target.apply(await target.plan({ review: true }));
    expect([applied.failures, applied.review?.requests]).toEqual([[], 2]);
    await expectExact(applied.restore);
  });

  it('says that no content can come where pages cannot be edited either', async () => {
    withoutImport(target.platform, 'changeContent');
    const { failures } = await target.apply(await target.plan());
    const [first] = failures.filter(({ skipped }) => !skipped);
    expect(first?.error).toContain('neither an import nor an operation that edits pages');
    expect(first?.hint).toContain('docmirror export');
  });

  it('takes a 404 of a space that is gone for what it is', async () => {
    const plan = await target.plan();
    target.platform.faults = [
      { operation: 'importContent', effect: NOT_FOUND },
      { operation: 'getSpace', effect: NOT_FOUND },
    ];
    const { failures } = await target.apply(plan);
    const [first] = failures.filter(({ skipped, kind }) => !skipped && kind === 'revision');
    expect(first?.error).toContain('was deleted while the restore ran');
    expect(target.writes().filter((one) => one.endsWith('/content'))).toEqual([]);
  });
});

describe('restore apply on a platform without import, of more than documents', () => {
  it('brings a group as an empty page and a link as a page with the link, in their places, and names both', async () => {
    await start(
      await bare(async (world) => {
        const space = await addSpace(world, 'Mixed');
        await importFiles(world, space, {
          'SUMMARY.md':
            '* [Start](README.md)\n\n## Guides\n\n* [Setup](setup.md)\n* [Site](https://example.com/a)\n* [Last](last.md)\n',
          'README.md': '---\ncover: assets/logo.png\n---\n# Start\n\nSee [Last](last.md).\n',
          'setup.md': '# Setup\n\nDo it.\n',
          'last.md': '# Last\n\nThe end.\n',
          'assets/logo.png': PNG,
        });
      }),
    );
    const { failures, lacking } = await target.apply(await target.plan());
    expect(lacking).toBe(1);
    expect(failures.map(({ error }) => error)).toEqual([
      'the target has no import, and takes documents alone: 1 group came back as a document (Guides), ' +
        '1 link came back as a document (Site), no cover on 1 page (Start)',
    ]);
    const spaceId = await target.spaceCalled('Mixed');
    const { pages, files } = await target.client.api.getRevision({ path: { spaceId } });
    expect(flatten(pages).map(({ title, type, path }) => [title, type, path])).toEqual([
      ['Start', 'document', 'start'],
      ['Guides', 'document', 'guides'],
      ['Setup', 'document', 'guides/setup'],
      ['Site', 'document', 'guides/site'],
      ['Last', 'document', 'guides/last'],
    ]);
    expect(files.map(({ name }) => name)).toEqual(['logo.png']);
    const texts = Object.fromEntries(flatten(pages).map(({ title, id }) => [title, id]));
    const read = async (title: string): Promise<string> => {
      const path = { spaceId, pageId: texts[title] ?? '' };
      return (await target.client.api.getPage({ path, query: { format: 'markdown' } })).markdown ?? '';
    };
    expect(await read('Site')).toContain('[Site](https://example.com/a)');
    expect(await read('Start')).toContain(`[Last](/pages/${texts['Last'] ?? ''})`);
  });

  it('brings hundreds of pages, deep ones too, in their order, and files larger than an edit holds', async () => {
    const large = Buffer.alloc(2_500_000, 'x');
    await start(
      await bare(async (world) => {
        const space = await addSpace(world, 'Large');
        const titles = Array.from({ length: 120 }, (_, i) => `Page ${i}`);
        await importFiles(world, space, {
          'SUMMARY.md': titles.map((title, i) => `${'  '.repeat(i % 5)}* [${title}](p${i}.md)\n`).join(''),
          ...Object.fromEntries(
            titles.map((title, i) => [`p${i}.md`, `# ${title}\n\n[Other](p${(i * 7) % 120}.md)\n`]),
          ),
          ...Object.fromEntries(Array.from({ length: 23 }, (_, i) => [`assets/${i}.txt`, `File ${i}\n`])),
          'assets/large.bin': large,
        });
      }),
    );
    const applied = await target.apply(await target.plan());
    expect([applied.failures, applied.lacking]).toEqual([[], 0]);
    await expectExact(applied.restore);
    const { items } = await target.client.api.listFiles({ path: { spaceId: await target.spaceCalled('Large') } });
    expect(items.find(({ name }) => name === 'large.bin')?.size).toBe(large.byteLength);
  });

  it('brings all others where the target refuses one page and one file', async () => {
    await start(
      await bare(async (world) => {
        const space = await addSpace(world, 'Picky');
        await edit(world, space, ...['A', 'B', 'C'].map((title) => insert(title, `Of ${title}.`)));
        const { B: into = '' } = await pagesOf(world, space);
        const files = ['a.txt', 'b.txt'].map((name) => ({ name, contentType: 'text/plain', base64: 'eA==' }));
        await edit(world, space, insert('Below', 'Of what is below.', { into }), { type: 'insert_files', files });
      }),
    );
    await using proxy = await rewriting(world, target.platform);
    // The platform refuses a batch without changes.
    proxy.send = ({ path }, text) =>
      path.endsWith('/content') && /"title":"B"|"name":"b.txt"/.test(text) ? '{"changes":[]}' : undefined;
    const { failures, lacking } = await target.apply(await target.plan(), { client: proxy.client });
    expect(lacking).toBe(1);
    expect(failures[0]?.error).toMatch(
      /^file b.txt was refused: .*; page B was refused: .*; 1 page that stood below it came to the top$/,
    );
    const { pages, files } = await target.client.api.getRevision({
      path: { spaceId: await target.spaceCalled('Picky') },
    });
    expect([pages.map(({ title }) => title), files.map(({ name }) => name)]).toEqual([['A', 'C', 'Below'], ['a.txt']]);
  });

  it('brings what change requests propose: changed, moved, new and removed pages, files and titles that no edit keeps', async () => {
    await start(
      await bare(async (world) => {
        const space = await addSpace(world, 'Proposed');
        await edit(world, space, ...['A', 'B', 'C', 'D'].map((title) => insert(title, `Of ${title}.`)));
        const pages = await pagesOf(world, space);
        const page = (title: string): string => pages[title] ?? '';
        await addRequest(world, space, {
          subject: 'Much',
          changes: [
            {
              type: 'update_page',
              page: page('A'),
              title: 'A',
              emoji: '🧭',
              document: { markdown: 'Of A, [and](./n).' },
            },
            { type: 'delete_page', page: page('B') },
            { type: 'update_page', page: page('D'), into: page('C') },
            { type: 'insert_page', title: 'New', ref: 'n', document: { markdown: 'New text.' }, into: page('A') },
            { type: 'update_page', page: page('C'), title: ' C of two\nlines' },
            {
              type: 'insert_files',
              files: [{ name: 'n.txt', contentType: 'text/plain', base64: Buffer.from('n').toString('base64') }],
            },
          ],
        });
      }),
    );
    const applied = await target.apply(await target.plan());
    expect([applied.failures, applied.lacking]).toEqual([[], 0]);
    await expectExact(applied.restore);
  });
});

it('restore apply in place brings pages and files back on a platform without import', async () => {
  const there = await anew();
  await start(there);
  const { pages, guide } = there.made;
  await edit(world, guide, { type: 'delete_page', page: pages['Install'] ?? '' });
  withoutImport(world.platform);
  const plan = await place.plan();
  const applied = await place.apply(plan);
  expect([applied.failures, applied.lacking]).toEqual([[], 0]);
  expect((await place.verify(applied.restore)).passed).toBe(true);
  const now = flatten((await world.api.getRevision({ path: { spaceId: guide } })).pages);
  expect(now.map(({ title }) => title)).toEqual(['Home', 'Install', 'Linux', 'Use']);
});
