// A place on a site has no title of its own: that of its space says nothing of who has touched the place.
import { expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import { bare } from '../support/in-place.ts';

it('restore/undo takes a place on a site away whose space had another title before the restore: somebody was said to have changed it since, and it stayed', async () => {
  let site = { organizationId: '', siteId: '' };
  const { world, place } = await bare(async (one) => {
    const path = { organizationId: one.organization };
    const spaces = [await addSpace(one, 'First'), await addSpace(one, 'Second')];
    site = { ...path, siteId: (await one.api.createSite({ path, body: { title: 'Docs', spaces } })).id };
  });
  await using _world = world;
  const shown = async () => (await world.api.listSiteSpaces({ path: site })).items;
  const second = (await shown()).at(-1);
  await world.api.deleteSiteSpace({ path: { ...site, siteSpaceId: second?.id ?? '' } });
  await world.api.updateSpace({ path: { spaceId: second?.space.id ?? '' }, body: { title: 'Called otherwise' } });
  const plan = await place.plan({ missing: true, changed: false, added: false });
  const { restore, failures } = await place.apply(plan);
  expect([failures, (await shown()).length]).toEqual([[], 2]);
  expect((await place.apply(await place.undo(restore, plan))).failures).toEqual([]);
  expect((await shown()).map(({ title }) => title)).toEqual(['First']);
});
