// Pages and files that are inserted, where the target has no import: which is which, and what a try that was cut off had done.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cutOnce } from '../support/cutting.ts';
import { isRecord } from '../../src/base/index.ts';
import { addRequest, addSpace, edit, flatten, importFiles, insert, pagesOf, type Change } from '../support/content.ts';
import { inPlace, type InPlace } from '../support/in-place.ts';
import { createTarget, withoutImport, type Target } from '../support/restore.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

let world: TestWorld;
let place: InPlace;
let space: string;

beforeEach(async () => {
  world = await TestWorld.create();
  place = inPlace(world);
  space = await addSpace(world, 'Inserted');
});

afterEach(() => world[Symbol.asyncDispose]());

async function paths(): Promise<string[]> {
  return flatten((await world.api.getRevision({ path: { spaceId: space } })).pages).map(({ path = '' }) => path);
}

describe('restore apply in place without import', () => {
  it.each(['lost', 'killed'] as const)(
    'goes on inserting where it was %s: pages below those were left out',
    async (cut) => {
      let into: string | undefined;
      for (const title of ['Top', 'Middle', 'Deep']) {
        await edit(world, space, insert(title, `Of ${title}.`, into === undefined ? {} : { into }));
        into = (await pagesOf(world, space))[title];
      }
      await world.sync();
      const before = await paths();
      await edit(world, space, { type: 'delete_page', page: (await pagesOf(world, space))['Top'] ?? '' });
      withoutImport(world.platform);
      const { restore, result } = await place.endure(await place.plan(), cut);
      expect(result.failures).toEqual([]);
      expect(await paths()).toEqual(before);
      expect((await place.verify(restore)).passed).toBe(true);
    },
  );

  it.each(['none', 'killed'] as const)(
    'says of a file that holds something else now that it stays (%s): it stayed so without a word',
    async (cut) => {
      await importFiles(world, space, { 'a.md': '# A\n\n[F](f.txt)\n', 'f.txt': 'was' });
      await world.sync();
      await importFiles(world, space, { 'a.md': '# A\n\n[F](f.txt)\n', 'f.txt': 'is now' });
      withoutImport(world.platform);
      const plan = await place.plan();
      const { failures, lacking } = cut === 'none' ? await place.apply(plan) : (await place.endure(plan, cut)).result;
      expect([lacking, failures.map(({ error }) => error)]).toEqual([
        1,
        ['file f.txt keeps what it holds now: the target has no import, and no edit writes over a file'],
      ]);
    },
  );

  it('keeps an empty title, and says what came back as a document, where it was cut off: neither was so', async () => {
    await importFiles(world, space, {
      'SUMMARY.md': '* [A](a.md)\n\n## Group\n\n* [B](b.md)\n',
      'a.md': '# A\n\nOf A.\n',
      'b.md': '# B\n',
    });
    const { A: page = '', Group: group = '' } = await pagesOf(world, space);
    await edit(world, space, { type: 'update_page', page, title: '' });
    await world.sync();
    await edit(world, space, { type: 'delete_page', page }, { type: 'delete_page', page: group });
    withoutImport(world.platform);
    const plan = await place.plan();
    // Killed once its title was set, and as it merged.
    const { result } = await place.endure(plan, 'killed');
    expect(result.failures.map(({ error }) => error)).toEqual([
      'the target has no import, and takes documents alone: 1 group came back as a document (Group)',
    ]);
    const { pages } = await world.api.getRevision({ path: { spaceId: space } });
    expect(pages.map(({ title }) => title)).toEqual(['', 'Group']);
    expect((await place.verify(result.restore)).passed).toBe(true);
  });
});

describe('restore apply without import', () => {
  let target: Target;
  let proxy: Rewriting;

  beforeEach(async () => {
    target = await createTarget(world);
    withoutImport(target.platform);
    proxy = await rewriting(world, target.platform);
  });

  afterEach(async () => {
    await proxy[Symbol.asyncDispose]();
    await target[Symbol.asyncDispose]();
  });

  it('tells pages apart where the target gives them slugs of its own: one was taken for the other', async () => {
    const swapped: Change[] = [
      { type: 'insert_page', title: 'First', slug: 'second', document: { markdown: 'Of the first.' } },
      { type: 'insert_page', title: 'Second', slug: 'first', document: { markdown: 'Of the second.' } },
    ];
    await edit(world, space, ...swapped);
    await world.sync();
    proxy.send = ({ path }, text) => (path.endsWith('/content') ? text.replaceAll(/,"slug":"[^"]*"/g, '') : undefined);
    const { restore } = await target.apply(await target.plan(), { client: proxy.client });
    const { differences } = await target.verify(restore);
    expect(differences.flatMap((one) => (one.class === 'exact' ? [one.field] : []))).toEqual(['slug', 'slug']);
  });

  it('brings a change request that makes pages anew: one was taken for the page that goes, another had a number', async () => {
    await edit(world, space, insert('A', 'Of A.'), insert('B', 'Of B.'));
    const { A: a = '', B: b = '' } = await pagesOf(world, space);
    const away: Change[] = [
      { type: 'delete_page', page: a },
      { type: 'update_page', page: b, title: 'Bee', slug: 'bee' },
    ];
    const changes = [...away, insert('A', 'Another A.'), insert('B', 'Another B.')];
    await addRequest(world, space, { subject: 'Anew', changes });
    await world.sync();
    const { restore, failures } = await target.apply(await target.plan());
    expect(failures).toEqual([]);
    expect((await target.verify(restore)).differences.filter((one) => one.class === 'exact')).toEqual([]);
  });

  it('writes of a change request what that proposes alone: every page of its space was written in it once more', async () => {
    await edit(world, space, insert('A', 'Of A.'), insert('B', 'Of B.'), insert('C', 'Of C.'));
    const { B: page = '' } = await pagesOf(world, space);
    const document = { markdown: '# B\n\nBetter.' };
    await addRequest(world, space, { subject: 'One', changes: [{ type: 'update_page', page, document }] });
    await world.sync();
    const sent: string[] = [];
    proxy.send = ({ path }, text) => {
      if (path.endsWith('/content') && text.includes('"update_page"')) sent.push(text);
      return undefined;
    };
    const { failures } = await target.apply(await target.plan(), { client: proxy.client });
    expect(failures).toEqual([]);
    expect(sent).toEqual([expect.stringMatching(/^\{"changes":\[[^[]*"title":"B"[^[]*\]\}$/)]);
    expect(sent[0]?.split('update_page')).toHaveLength(2);
  });

  it('lacks no layout that the target shows on each page anyhow: the restore was done in part, and no resume could end it', async () => {
    const layout = { cover: true, coverSize: 'hero', title: true };
    const front = `---\nlayout: ${JSON.stringify(layout)}\n---\n`;
    await importFiles(world, space, { 'a.md': `${front}# A\n\nOf A.\n`, 'b.md': `${front}# B\n\nOf B.\n` });
    await world.sync();
    const withLayout = (page: unknown): unknown =>
      isRecord(page) ? { ...page, layout: page['title'] === 'A' ? layout : { ...layout, title: false } } : page;
    proxy.rewrite = (_asked, { status, body }) =>
      isRecord(body) && Array.isArray(body['pages'])
        ? { status, body: { ...body, pages: body['pages'].map(withLayout) } }
        : undefined;
    const { failures } = await target.apply(await target.plan(), { client: proxy.client });
    expect(failures.map(({ error }) => error)).toEqual([
      'the target has no import, and takes documents alone: no layout on 1 page (B)',
    ]);
  });

  /** The target begins each space with a page of this title. */
  const beginningWith = (title: string): void => {
    proxy.rewrite = async ({ method, path }, { body }) => {
      if (method === 'POST' && path.endsWith('/spaces') && isRecord(body))
        await edit({ api: target.client.api }, String(body['id']), insert(title, 'Begin here.'));
      return undefined;
    };
  };

  it('says of a page that keeps its number that the target refused the slug: the step was done without a word', async () => {
    await edit(world, space, insert('Page', 'Mine.'));
    await world.sync();
    beginningWith('Page');
    proxy.send = (_asked, text) =>
      text.includes('update_page') && text.includes('"slug"') ? '{"changes":"refused"}' : undefined;
    const { failures } = await target.apply(await target.plan(), { client: proxy.client });
    expect(failures.map(({ error }) => error)).toEqual([expect.stringMatching(/^the edit of page .* was refused/)]);
  });

  it('gives a page the slug of the one that the target begins each space with: it kept a number', async () => {
    await edit(world, space, insert('Page', 'Mine.'));
    await world.sync();
    beginningWith('Page');
    const { restore } = await target.apply(await target.plan(), { client: proxy.client });
    expect((await target.verify(restore)).passed).toBe(true);
    const { pages } = await target.client.api.getRevision({ path: { spaceId: await target.spaceCalled('Inserted') } });
    expect(pages.map(({ slug }) => slug)).toEqual(['page']);
  });

  it('says that a merge met edits of others: it was answered with 200, and the step was done', async () => {
    await edit(world, space, insert('Page', 'Mine.'));
    await world.sync();
    proxy.rewrite = ({ path }, { status, body }) =>
      path.endsWith('/merge') && isRecord(body) ? { status, body: { ...body, result: 'conflicts' } } : undefined;
    const { mixed, failures } = await target.apply(await target.plan(), { client: proxy.client });
    expect(mixed).toBe(1);
    expect(failures.map(({ error }) => error)).toEqual([expect.stringContaining('both versions are in them')]);
  });

  it('brings pages of which the target refuses to move one: the space failed', async () => {
    await edit(world, space, insert('A', 'Of A.'), insert('B', 'Of B.'), insert('C', 'Of C.'));
    const { A: a = '', B: b = '' } = await pagesOf(world, space);
    const changes: Change[] = [
      { type: 'update_page', page: b, at: 0 },
      { type: 'update_page', page: a, title: 'Aa' },
    ];
    await addRequest(world, space, { subject: 'Moved', changes });
    await world.sync();
    proxy.send = ({ path }, text) =>
      path.endsWith('/content') && text.includes('"at":') ? '{"changes":[]}' : undefined;
    const { failures } = await target.apply(await target.plan(), { client: proxy.client });
    expect(failures.map(({ error }) => error)).toEqual([expect.stringMatching(/^the edit of page B was refused: /)]);
  });

  it('writes texts with links to later pages where not all fit into one call: the space failed', async () => {
    const words = 'word '.repeat(2000);
    const pages = Array.from({ length: 12 }, (_, i) =>
      insert(`P${i}`, `${words}[on](./r${(i + 1) % 12})`, { ref: `r${i}` }),
    );
    await edit(world, space, ...pages);
    await world.sync();
    // The platform refuses a batch without changes.
    proxy.send = ({ path }, text) => (path.endsWith('/content') && text.length > 50_000 ? '{"changes":[]}' : undefined);
    const { restore, failures } = await target.apply(await target.plan(), { client: proxy.client });
    expect(failures).toEqual([]);
    expect((await target.verify(restore)).passed).toBe(true);
  });

  it('names what was refused where it was cut off as it merged: the step was done without a word of it', async () => {
    await edit(world, space, insert('A', 'Of A.'), insert('B', 'Of B.'));
    await world.sync();
    proxy.send = ({ path }, text) =>
      path.endsWith('/content') && text.includes('"title":"B"') ? '{"changes":[]}' : undefined;
    const client = cutOnce(proxy.client, { cut: 'lost', of: 'mergeChangeRequest', nth: 0, sent: true });
    const { restore } = await target.apply(await target.plan(), { client });
    const { failures, lacking } = await target.resume(restore, { client: proxy.client });
    expect([lacking, failures[0]?.error]).toEqual([1, 'page B is not in what an earlier try merged']);
  });

  it('knows a file by its size where the target writes its name otherwise: its links led nowhere', async () => {
    const names = ['A_B.txt', 'a.txt', 'c.txt'];
    const files = names.map((name) => ({ name, ref: name, contentType: 'text/plain', base64: 'eA==' }));
    const links = names.map((name) => `[${name}](./${name})`).join(' ');
    await edit(world, space, { type: 'insert_files', files }, insert('Links', links));
    await world.sync();
    proxy.send = ({ path }, text) =>
      path.endsWith('/content') ? text.replace('"A_B.txt"', '"a-b.txt"').replace('"c.txt"', '"z.txt"') : undefined;
    const { restore, failures } = await target.apply(await target.plan(), { client: proxy.client });
    expect(failures[0]?.error).toBe('file c.txt was inserted and is shown nowhere under that name');
    const { differences } = await target.verify(restore);
    const exact = differences.filter((one) => one.class === 'exact');
    expect(exact.map(({ field }) => field)).toEqual(['*', 'name']);
  });
});
