// What is told of pages that a settled change request shares with its space, when it is opened again or read beside edits of that.
import { describe, expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { countsOf, diffSnapshots, readerAt } from '../../src/mirror/index.ts';
import { addRequest, edit, insert, pagesOf, type Change } from '../support/content.ts';
import { rewriting } from '../support/rewriting.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const settings = { documents: true, lanes: 1 };
const PAGES = 'change-request-page';
const TREES = 'change-request-page-document';

interface Proposed {
  readonly world: TestWorld;
  readonly space: string;
  readonly path: { readonly spaceId: string; readonly changeRequestId: string };
  readonly pages: Record<string, string>;
}

/** A space of three pages, and a change request that rewrites one of them. */
async function proposed(...changes: Change[]): Promise<Proposed> {
  const world = await TestWorld.create();
  const { id: space } = await world.api.createSpace({
    path: { organizationId: world.organization },
    body: { title: 'Guide' },
  });
  await edit(world, space, insert('Top', '# Top\n\nFirst.'), insert('Other', 'Beside.'), insert('Third', 'More.'));
  const pages = await pagesOf(world, space);
  const { id } = await addRequest(world, space, { subject: 'Change', ...(changes.length > 0 ? { changes } : {}) });
  return { world, space, pages, path: { spaceId: space, changeRequestId: id } };
}

describe('walker/visits/shared-tree, of what is settled once more', () => {
  it.each([
    ['another text', { type: 'update_page', document: { markdown: 'Edited after all.' } }],
    ['another title', { type: 'update_page', title: 'Renamed' }],
    ['another place', { type: 'update_page', into: null, at: 0 }],
    ['another parent', { type: 'update_page', into: 'Top' }],
  ] as const)(
    'shows %s that a page of an archived change request got while that was open again between two nights',
    async (_what, change) => {
      const { world, path, pages } = await proposed();
      await using _world = world;
      await world.api.updateChangeRequest({ path, body: { status: 'archived' } });
      await world.sync({ settings });
      await world.api.updateChangeRequest({ path, body: { status: 'open' } });
      const into = 'into' in change && change.into !== null ? { into: pages[change.into] ?? '' } : {};
      const changes: Change[] = [{ ...change, ...into, page: pages['Third'] ?? '' }];
      await world.api.changeContent({ path, body: { changes } });
      await world.api.updateChangeRequest({ path, body: { status: 'archived' } });
      const { snapshot } = await world.sync({ settings });
      using fresh = await world.newMirror();
      const first = await world.sync({ settings, mirror: fresh });
      expect(stateOf(world.mirror, snapshot.id)).toEqual(stateOf(fresh, first.snapshot.id));
    },
  );

  it.each([true, false])(
    'keeps nothing anew of merged change requests that are read again and stand still (trees %s): the mirror would grow each night',
    async (documents) => {
      const { world, path } = await proposed(insert('Fourth', 'Proposed.'));
      await using _world = world;
      await world.api.mergeChangeRequest({ path });
      const every = { ...settings, documents, rereadNights: 1 };
      const held = (): unknown[] => rowsOf(world.mirror, 'select * from shared_trees order by tid');
      await world.sync({ settings: every });
      const before = held();
      for (let night = 0; night < 2; night++) await world.sync({ settings: every });
      expect([before.length > 2, held()]).toEqual([true, before]);
    },
  );
});

describe('mirror/observe/shared-trees, what is told', () => {
  it('names the pages that moved in an archived change request which is opened again: only what was rewritten was told', async () => {
    const { world, path, pages } = await proposed();
    await using _world = world;
    await world.api.updateChangeRequest({ path, body: { status: 'archived' } });
    await world.sync({ settings });
    await world.api.updateChangeRequest({ path, body: { status: 'open' } });
    const toTheTop: Change = { type: 'update_page', page: pages['Third'] ?? '', into: null, at: 0 };
    await world.api.changeContent({ path, body: { changes: [toTheTop] } });
    await world.sync({ settings });
    const moved = ['Other changed', 'Third changed', 'Top changed'];
    const told = [...diffSnapshots(world.mirror, [1, 2], { kind: PAGES })].map(
      ({ label, change }) => `${label} ${change}`,
    );
    expect(told.toSorted()).toEqual(moved);
    const feed = rowsOf(
      world.mirror,
      `select label || ' ' || change as told from changes where kind = '${PAGES}' and snapshot = 2`,
    );
    expect(feed.map(({ told: one }) => String(one)).toSorted()).toEqual(moved);
  });

  it('tells nothing where it is opened and archived again without an edit', async () => {
    const { world, path } = await proposed();
    await using _world = world;
    await world.api.updateChangeRequest({ path, body: { status: 'archived' } });
    await world.sync({ settings });
    await world.api.updateChangeRequest({ path, body: { status: 'open' } });
    await world.sync({ settings });
    await world.api.updateChangeRequest({ path, body: { status: 'archived' } });
    await world.sync({ settings });
    for (const span of [
      [1, 2],
      [2, 3],
      [1, 3],
    ] as const)
      expect([...diffSnapshots(world.mirror, span)].filter(({ kind }) => kind === PAGES || kind === TREES)).toEqual([]);
  });

  it('counts what a change request shares once where its tree is read a second time, as one of its own pages was of another text', async () => {
    const { world, path, pages } = await proposed(insert('Fourth', 'Proposed.'));
    await using _world = world;
    await world.api.updateChangeRequest({ path, body: { status: 'archived' } });
    await world.sync({ settings });
    await using proxy = await rewriting(world);
    let read = 0;
    let isOther = true;
    proxy.rewrite = ({ path: asked, query }, { status, body }) => {
      if (asked.endsWith(`/change-requests/${path.changeRequestId}/content`)) read++;
      const isOwn = asked.includes(`/${path.changeRequestId}/content/page/`) && query.get('format') === 'markdown';
      if (!isOwn || !isOther || !isRecord(body) || Object.values(pages).includes(String(body['id']))) return undefined;
      isOther = false;
      return { status, body: { ...body, documentId: 'of-another-text' } };
    };
    const { snapshot } = await world.sync({ settings, mode: 'full', client: proxy.client });
    expect([snapshot.state, read]).toEqual(['complete', 2]);
    for (const kind of [PAGES, TREES] as const) {
      const seen = readerAt(world.mirror, 2).count(kind);
      expect(countsOf(world.mirror, 2)[kind]).toMatchObject({ seen });
    }
  });

  it('counts what a change request shares once where its tree is read a second time, as it listed a page that is not there', async () => {
    const { world, path } = await proposed(insert('Fourth', 'Proposed.'));
    await using _world = world;
    await world.api.updateChangeRequest({ path, body: { status: 'archived' } });
    await world.sync({ settings });
    await using proxy = await rewriting(world);
    let read = 0;
    proxy.rewrite = ({ path: asked }, { status, body }) => {
      const isTree = asked.endsWith(`/change-requests/${path.changeRequestId}/content`);
      if (!isTree || ++read > 1 || !isRecord(body) || !Array.isArray(body['pages'])) return undefined;
      const ghost = { ...(body['pages'] as object[])[0], id: 'ghost', documentId: 'ghost', path: 'ghost' };
      return { status, body: { ...body, pages: [...(body['pages'] as object[]), ghost] } };
    };
    const { snapshot } = await world.sync({ settings: { ...settings, rereadNights: 1 }, client: proxy.client });
    expect([snapshot.state, read]).toEqual(['complete', 2]);
    for (const kind of [PAGES, TREES] as const) {
      const seen = readerAt(world.mirror, 2).count(kind);
      expect(countsOf(world.mirror, 2)[kind]).toMatchObject({ seen, unchanged: seen });
    }
  });

  it('counts each document tree once where a page is edited beside a change request that is read in the same night', async () => {
    const { world, space, path, pages } = await proposed();
    await using _world = world;
    const update = (title: string, markdown: string): Change => ({
      type: 'update_page',
      page: pages[title] ?? '',
      document: { markdown },
    });
    await world.api.changeContent({ path, body: { changes: [update('Other', 'Proposed.')] } });
    await world.sync({ settings });
    await edit(world, space, update('Top', 'New top.'));
    await world.sync({ settings: { ...settings, rereadNights: 1 } });
    await edit(world, space, { type: 'delete_page', page: pages['Third'] ?? '' });
    await world.api.updateChangeRequest({ path, body: { status: 'archived' } });
    await world.sync({ settings });
    for (const night of [2, 3])
      expect(countsOf(world.mirror, night)[TREES]?.seen).toBe(readerAt(world.mirror, night).count(TREES));
  });
});
