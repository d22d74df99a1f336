// A section comes back beside one that somebody put into a group since.
import { expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import { bare } from '../support/in-place.ts';

it('restore/in-place brings a section back to its place though the next one stands in a new group: apply said that it stood behind its later siblings', async () => {
  let siteId = '';
  const { world, place } = await bare(async (world) => {
    const path = { organizationId: world.organization };
    siteId = (await world.api.createSite({ path, body: { title: 'Docs', spaces: [] } })).id;
    for (const title of ['Alpha', 'Beta', 'Gamma'])
      await world.api.createSiteSection({
        path: { ...path, siteId },
        body: { spaceId: await addSpace(world, title), title },
      });
  });
  await using _world = world;
  const path = { organizationId: world.organization, siteId };
  const titles = async () => (await world.api.listSiteSections({ path })).items.map(({ title }) => title);
  const { items } = await world.api.listSiteSections({ path });
  const [alpha = '', ...others] = items.map(({ id }) => id);
  await world.api.deleteSiteSection({ path: { ...path, siteSectionId: alpha } });
  await world.api.createSiteSectionGroup({ path, body: { title: 'New', sections: others } });
  const plan = await place.plan({ added: true });
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  expect((await place.verify(restore)).passed).toBe(true);
  expect(await titles()).toEqual(['Alpha', 'Beta', 'Gamma']);
  expect((await place.plan({ added: true })).steps).toEqual([]);
});
