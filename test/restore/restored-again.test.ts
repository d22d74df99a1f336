// A restore that was taken back, and the same snapshot brought back once more: what the first one made is gone again.
import { describe, expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import { mirrored } from '../support/in-place.ts';

describe('restore/in-place, once more after an undo', () => {
  it('brings a site with a share link back again, though the site that the first restore made is gone', async () => {
    let siteId = '';
    const there = await mirrored(async (world) => {
      const path = { organizationId: world.organization };
      const spaces = [await addSpace(world, 'Shown')];
      siteId = (await world.api.createSite({ path, body: { title: 'Partners', visibility: 'share-link', spaces } })).id;
      await world.api.createShareLink({ path: { ...path, siteId }, body: { name: 'Key' } });
    });
    await using world = there.world;
    const { place } = there;
    const path = { organizationId: world.organization };
    await world.api.deleteSite({ path: { ...path, siteId } });
    const first = await place.plan();
    const { restore } = await place.apply(first);
    await place.apply(await place.undo(restore, first));
    expect(await place.apply(await place.plan())).toMatchObject({ failed: 0, skipped: 0 });
    const [site, ...others] = (await world.api.listSites({ path })).items;
    expect(others).toEqual([]);
    const { items } = await world.api.listShareLinks({ path: { ...path, siteId: site?.id ?? '' } });
    expect(items.map(({ name }) => name)).toEqual(['Key']);
  });
});
