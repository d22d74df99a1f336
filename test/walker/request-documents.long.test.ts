import { describe, expect, it } from 'vitest';
import type { WalkResult } from '../../src/walker/index.ts';
import { countsOf } from '../../src/mirror/index.ts';
import { addRequest, addSpace, edit, insert, pagesOf, type Change } from '../support/content.ts';
import { furnishedWorld, treesWorld } from '../support/furnished.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import { TestWorld, type SyncOptions } from '../support/world.ts';

const settings = { documents: true };
const TREES = 'change-request-page-document';

function update(page: string | undefined, markdown: string): Change {
  return { type: 'update_page', page: page ?? '', document: { markdown } };
}

/** What a first walk holds now. */
async function truthOf(world: TestWorld): Promise<ReturnType<typeof stateOf>> {
  using fresh = await world.newMirror();
  return stateOf(fresh, (await world.sync({ settings, mirror: fresh })).snapshot.id);
}

/** Walks, and expects of it what a first walk holds and that all of it was counted. */
async function expectWhole(world: TestWorld, options: SyncOptions = {}): Promise<WalkResult> {
  const result = await world.sync({ settings, ...options });
  expect([result.snapshot.state, result.snapshot.reason]).toEqual(['complete', null]);
  const state = stateOf(world.mirror, result.snapshot.id);
  expect(state).toEqual(await truthOf(world));
  const held = Object.keys(state).filter((one) => one.startsWith(`${TREES} `)).length;
  expect(countsOf(world.mirror, result.snapshot.id)[TREES]?.seen ?? 0).toBe(held);
  return result;
}

/** A page of a space has no tree, as in a mirror that could not read it. */
function withoutTreeOf(world: TestWorld, page: string | undefined): void {
  const of = `select rid from resources where kind = 'page-document' and id = ?`;
  world.mirror.store.prepare(`delete from versions where rid in (${of})`).run(page);
}

describe('walker/visits/request-documents', () => {
  it('is no mass change that a change request deletes the few pages of which it has trees of its own: those shared with its space were not counted', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Guide');
    for (const part of ['A', 'B', 'C', 'D'])
      await edit(world, space, ...[1, 2, 3].map((number) => insert(`${part}${number}`, 'text')));
    const pages = ['A1', 'A2', 'A3'];
    const ids = await pagesOf(world, space);
    const changes = pages.map((title) => update(ids[title], 'Another text.'));
    const { id: changeRequestId } = await addRequest(world, space, { subject: 'Rewrite', changes });
    await world.sync({ settings });
    const deleted = pages.map((title) => ({ type: 'delete_page' as const, page: ids[title] ?? '' }));
    await world.api.changeContent({ path: { spaceId: space, changeRequestId }, body: { changes: deleted } });
    const brake = { deletedShare: 0.5, deletedCount: 3, rewrittenShare: 2, rewrittenCount: 1e9 };
    const { snapshot, kinds } = await world.sync({ settings: { ...settings, brake } });
    expect([kinds[TREES]?.gone, snapshot.state, snapshot.reason]).toEqual([3, 'complete', null]);
  });

  it('keeps the tree of an older text that change requests still show when the page of the space is edited', async () => {
    await using world = await treesWorld();
    const { guide, pages } = world.made;
    await edit(world, guide, update(pages['Home'], '# Home\n\nEdited in the space.'));
    const { kinds } = await expectWhole(world);
    expect(kinds[TREES]?.added).toBeGreaterThan(0);
    world.platform.clearRequestLog();
    await world.sync({ settings });
    expect(world.asked('getChangeRequestPage')).toBe(0);
  });

  it('asks for no tree that it holds as that of the space: each edit was a request for every change request that there ever was', async () => {
    await using world = await furnishedWorld();
    const { guide, pages } = world.made;
    for (const subject of ['Third', 'Fourth', 'Fifth']) await addRequest(world, guide, { subject });
    await expectWhole(world);
    const before = rowsOf(world.mirror, 'select count(*) as n from bodies')[0]?.['n'];
    await edit(world, guide, update(pages['Home'], '# Home\n\nEdited in the space.'));
    world.platform.clearRequestLog();
    const { kinds } = await world.sync({ settings });
    expect(kinds[TREES]?.added).toBeGreaterThan(3);
    expect(world.asked('getChangeRequestPage')).toBe(0);
    // Kept once, whoever shows it.
    expect(Number(rowsOf(world.mirror, 'select count(*) as n from bodies')[0]?.['n'])).toBeLessThan(Number(before) + 8);
    await expectWhole(world);
    await expectWhole(world, { mode: 'full' });
  });

  it('keeps no tree twice in a full walk, which reads every page itself', async () => {
    await using world = await treesWorld();
    const { guide, pages } = world.made;
    await edit(world, guide, update(pages['Home'], '# Home\n\nEdited in the space.'));
    await expectWhole(world, { mode: 'full' });
    await expectWhole(world, { mode: 'full' });
  });

  it('keeps the tree of a change request while its space shows another text, and no longer', async () => {
    await using world = await furnishedWorld();
    const { guide, pages, requests } = world.made;
    const before = '# Home\n\nBefore.';
    await edit(world, guide, update(pages['Home'], before));
    await expectWhole(world);
    const path = { spaceId: guide, changeRequestId: requests.open };
    await world.api.mergeChangeRequest({ path });
    await expectWhole(world);
    await edit(world, guide, update(pages['Home'], '# Home\n\nBetween.'));
    await expectWhole(world);
    await edit(world, guide, { type: 'delete_page', page: pages['Use'] ?? '' });
    await expectWhole(world);
  });

  it('reads the tree the next night that could not be read, without an edit of the change request', async () => {
    await using world = await treesWorld();
    const { guide, pages } = world.made;
    withoutTreeOf(world, pages['Home']);
    await edit(world, guide, update(pages['Home'], '# Home\n\nEdited in the space.'));
    world.platform.faults = [{ operation: 'getChangeRequestPage', nth: 1, count: 2, effect: { status: 500 } }];
    const { snapshot, failures } = await world.sync({ settings });
    expect([snapshot.state, new Set(failures.map(({ kind }) => kind))]).toEqual(['partial', new Set([TREES])]);
    world.platform.faults = [];
    await expectWhole(world);
  });

  it('reads a change request again that moves while the tree of its older text is read', async () => {
    await using world = await treesWorld();
    const { guide, pages, requests } = world.made;
    withoutTreeOf(world, pages['Home']);
    await edit(world, guide, update(pages['Home'], '# Home\n\nEdited in the space.'));
    const path = { spaceId: guide, changeRequestId: requests.draft };
    let moved = false;
    const client = world.hooked(async (operation, input) => {
      const isTree = operation === 'getChangeRequestPage' && input?.path?.['changeRequestId'] === requests.draft;
      if (!isTree || moved) return;
      moved = true;
      await world.api.changeContent({ path, body: { changes: [update(pages['Home'], '# Home\n\nProposed.')] } });
    });
    const { snapshot } = await world.sync({ settings, client });
    expect([snapshot.state, moved]).toEqual(['complete', true]);
    const [page] = rowsOf(
      world.mirror,
      `select p.markdown, d.document from change_request_pages p join page_documents d on d.page = p.id and d.change_request = p.change_request
       where p.change_request = ? and p.title = 'Home'`,
      requests.draft,
    );
    expect(page?.['markdown']).toMatch(/Proposed/);
    expect(page?.['document']).toMatch(/Proposed/);
    await expectWhole(world);
  });

  it('leaves what changed in a walk of one space to the walk of everything for the others', async () => {
    await using world = await furnishedWorld();
    const { guide, news, pages } = world.made;
    await addRequest(world, guide, { subject: 'Another' });
    await world.sync({ settings });
    await edit(world, guide, update(pages['Home'], '# Home\n\nEdited in the space.'));
    const only = (space: string) => ({ organizations: null, onlySpaces: [space], extraSpaces: [] });
    await world.sync({ settings: { documents: false }, scope: only(guide) });
    expect((await world.sync({ settings, scope: only(news) })).kinds[TREES]?.added ?? 0).toBe(0);
    expect((await world.sync({ settings, scope: only(guide) })).kinds[TREES]?.added).toBeGreaterThan(0);
  });
});
