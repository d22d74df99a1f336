// What a listing lacks for the first time, and what the API has no read of its own for.
import { expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

it('walker says that sections which somebody deleted are no longer listed: they were called out of reach, and people looked for a right that their token had lost', async () => {
  await using world = await TestWorld.create();
  const path = { organizationId: world.organization };
  const { id: siteId } = await world.api.createSite({ path, body: { title: 'Docs', spaces: [] } });
  const made: string[] = [];
  for (const title of ['First', 'Second', 'Third']) {
    const body = { spaceId: await addSpace(world, title), title };
    made.push((await world.api.createSiteSection({ path: { ...path, siteId }, body })).id);
  }
  await world.sync();
  for (const siteSectionId of made.slice(1)) {
    await world.api.deleteSiteSection({ path: { ...path, siteId, siteSectionId } });
  }
  const { snapshot, kinds } = await world.sync();
  expect(kinds['site-section']).toMatchObject({ seen: 1, gone: 0, missing: 2, unreachable: 0 });
  expect(snapshot.reason).toBe('2 site-sections no longer listed; 2 site-spaces no longer listed');
  const next = await world.sync();
  expect(next.snapshot).toMatchObject({ state: 'complete', reason: null });
  expect(next.kinds['site-section']).toMatchObject({ seen: 1, gone: 2, missing: 0, unreachable: 0 });
});

it('walker says how many spaces the routes showed that lack one: the evidence of each said none', async () => {
  await using world = await TestWorld.create();
  const lost = await addSpace(world, 'Lost');
  for (const title of ['One', 'Two']) await addSpace(world, title);
  await world.sync();
  await world.api.deleteSpace({ path: { spaceId: lost } });
  await world.sync();
  const sql = `select json_extract(evidence, '$.listed') as listed from tombstones t join resources r on r.rid = t.rid where r.kind = 'space'`;
  expect(rowsOf(world.mirror, sql)).toEqual([{ listed: 2 }]);
});
