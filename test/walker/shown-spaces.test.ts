// Places on a site of spaces that are deleted: the listing of the site lacks them, and nothing reads one by itself.
import { expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

interface Shown {
  readonly site: { readonly organizationId: string; readonly siteId: string };
  readonly spaces: readonly string[];
}

/** A site with a section for each of three spaces. */
async function show(world: TestWorld): Promise<Shown> {
  const path = { organizationId: world.organization };
  const { id: siteId } = await world.api.createSite({ path, body: { title: 'Docs', spaces: [] } });
  const spaces: string[] = [];
  for (const title of ['First', 'Second', 'Third']) {
    const spaceId = await addSpace(world, title);
    spaces.push(spaceId);
    await world.api.createSiteSection({ path: { ...path, siteId }, body: { spaceId, title } });
  }
  return { site: { ...path, siteId }, spaces };
}

/** Equal to a mirror that begins now. */
async function expectAsAnew(world: TestWorld, snapshot: number): Promise<void> {
  using fresh = await world.newMirror();
  const { snapshot: first } = await world.sync({ mirror: fresh });
  expect(stateOf(world.mirror, snapshot)).toEqual(stateOf(fresh, first.id));
}

it('walker ends the place of a space on a site with the space: one night was partial for each space that somebody deleted', async () => {
  await using world = await TestWorld.create();
  const { spaces } = await show(world);
  await world.sync();
  const [spaceId = ''] = spaces;
  await world.api.deleteSpace({ path: { spaceId } });
  const { snapshot, kinds } = await world.sync();
  expect(snapshot).toMatchObject({ state: 'complete', reason: null });
  expect(kinds['site-space']).toMatchObject({ gone: 1, missing: 0, failed: 0 });
  const sql = `select json_extract(t.evidence, '$.direct.request') as request from tombstones t join resources using (rid) where kind = 'site-space'`;
  expect(rowsOf(world.mirror, sql)).toEqual([{ request: 'GET /v1/spaces/{spaceId}' }]);
  await expectAsAnew(world, snapshot.id);
  await world.api.restoreSpace({ path: { spaceId } });
  const back = await world.sync();
  expect(back.snapshot.state).toBe('complete');
  await expectAsAnew(world, back.snapshot.id);
});

it('walker ends the place of a space that goes after its site was read, in the same walk or in the next, and neither is partial', async () => {
  await using world = await TestWorld.create();
  const { spaces } = await show(world);
  await world.sync();
  const [spaceId = ''] = spaces;
  let isDeleted = false;
  const client = world.hooked(async (operation, input) => {
    if (isDeleted || operation !== 'getRevision' || input?.path?.['spaceId'] !== spaceId) return;
    isDeleted = true;
    await world.api.deleteSpace({ path: { spaceId } });
  });
  const { snapshot } = await world.sync({ mode: 'full', client });
  expect([isDeleted, snapshot.state]).toEqual([true, 'complete']);
  const next = await world.sync();
  expect(next.snapshot).toMatchObject({ state: 'complete', reason: null });
  await expectAsAnew(world, next.snapshot.id);
});

it('walker still waits for another look where the space is there that a site shows no more', async () => {
  await using world = await TestWorld.create();
  const { site } = await show(world);
  await world.sync();
  const { items } = await world.api.listSiteSpaces({ path: site });
  await world.api.deleteSiteSpace({ path: { ...site, siteSpaceId: items[0]?.id ?? '' } });
  expect((await world.sync()).snapshot).toMatchObject({
    state: 'partial',
    reason: '1 site-section no longer listed; 1 site-space no longer listed',
  });
  expect((await world.sync()).snapshot.state).toBe('complete');
});
