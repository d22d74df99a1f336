// What many merged change requests show that their space has edited since: each shows a copy of the whole space as it was.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { checkMirror, readerAt } from '../../src/mirror/index.ts';
import { addSpace, edit, flatten, importFiles, insert, pagesOf, PNG } from '../support/content.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import { danglingIn, rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const settings = { documents: true, lanes: 32 };

/** A space whose pages were edited several times, and of which some are gone with a file, by a merged request for each edit. */
async function edited(world: TestWorld): Promise<string> {
  const space = await addSpace(world, 'Guide');
  await importFiles(world, space, { 'README.md': '# First\n\n![](old.png)', 'old.png': PNG });
  const { First = '' } = await pagesOf(world, space);
  for (const title of ['A', 'B']) await edit(world, space, insert(title, title));
  await edit(world, space, insert('Below', 'Inside', { into: First }));
  const pages = await pagesOf(world, space);
  const editEach = async (titles: readonly string[]): Promise<void> => {
    for (const markdown of ['One.', 'Two.'])
      for (const title of titles)
        await edit(world, space, { type: 'update_page', page: pages[title] ?? '', document: { markdown } });
  };
  await editEach(['A', 'B', 'Below']);
  await edit(world, space, { type: 'delete_page', page: First });
  await editEach(['B', 'A']);
  return space;
}

/** What the requests show, as the platform has it: request and page, id of the text, the text and the tree of its page. */
async function told({ api, mirror }: TestWorld, spaceId: string): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  for (const { id } of rowsOf(mirror, 'select id from change_requests')) {
    const path = { spaceId, changeRequestId: String(id) };
    for (const { id: pageId } of flatten((await api.listChangeRequestPages({ path })).pages)) {
      const ofPage = { ...path, pageId };
      const { documentId, markdown } = await api.getChangeRequestPage({ path: ofPage, query: { format: 'markdown' } });
      const { document } = await api.getChangeRequestPage({ path: ofPage, query: { format: 'document' } });
      rows.push([`${path.changeRequestId}/${pageId}`, documentId, markdown, document]);
    }
  }
  return rows.toSorted(byFirst);
}

function mirrored({ mirror }: TestWorld, snapshot: number): unknown[][] {
  const reader = readerAt(mirror, snapshot);
  const within = ({ key }: { key: string }): string => key.split('/').slice(1).join('/');
  const trees = new Map([...reader.resources('change-request-page-document')].map((one) => [within(one), one.body]));
  return [...reader.resources('change-request-page')]
    .map((page) => [within(page), page.body['documentId'], page.text, trees.get(within(page))?.['document']])
    .toSorted(byFirst);
}

const byFirst = ([one]: unknown[], [other]: unknown[]): number => (String(one) < String(other) ? -1 : 1);

/** How often the proxy was asked for each text, by its form, its page and its id. */
function texts(proxy: Rewriting): Map<string, number> {
  const asked = new Map<string, number>();
  proxy.rewrite = ({ path, query }, { body }) => {
    const isText = path.includes('/content/page/') && isRecord(body);
    const what = isText ? `${query.get('format') ?? ''} ${String(body['id'])} ${String(body['documentId'])}` : null;
    if (what !== null) asked.set(what, (asked.get(what) ?? 0) + 1);
    return undefined;
  };
  return asked;
}

it.each([
  ['', {}],
  ['with a budget ', { maxRequests: 100_000 }],
])(
  'walker %sreads each text and file once that merged change requests show: it asked each of them for all that the space has edited since',
  async (_, budget) => {
    await using world = await TestWorld.create();
    const space = await edited(world);
    await using proxy = await rewriting(world);
    const asked = texts(proxy);
    const { snapshot } = await world.sync({ settings: { ...settings, ...budget }, client: proxy.client });
    expect(snapshot.state).toBe('complete');
    expect([...asked].filter(([, times]) => times > 1)).toEqual([]);
    expect(asked.size).toBeGreaterThan(20);
    expect(mirrored(world, snapshot.id)).toEqual(await told(world, space));
    expect([(await checkMirror(world.mirror, { readData: true })).problems, danglingIn(world.mirror)]).toEqual([
      [],
      [],
    ]);
  },
);

it('walker reads each document tree of the past once that is wanted later on: it asked each merged change request for all that the space has edited since', async () => {
  await using world = await TestWorld.create();
  const space = await edited(world);
  await using proxy = await rewriting(world);
  await world.sync({ settings: { ...settings, documents: false } });
  const asked = texts(proxy);
  const { snapshot } = await world.sync({ settings: { ...settings, rereadNights: 1 }, client: proxy.client });
  expect(snapshot.state).toBe('complete');
  expect([...asked].filter(([, times]) => times > 1)).toEqual([]);
  expect(mirrored(world, snapshot.id)).toEqual(await told(world, space));
  expect([(await checkMirror(world.mirror, { readData: true })).problems, danglingIn(world.mirror)]).toEqual([[], []]);
});
