// A step that made something and failed then: nothing notes what it made, and an undo must not pass over it.
import { expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import { mirrored } from '../support/in-place.ts';

it('restore undo names a section that was made and could not be put in its place: it stayed without a word', async () => {
  const site = { siteId: '', siteSectionId: '' };
  const { world, place } = await mirrored(async (world) => {
    const path = { organizationId: world.organization };
    site.siteId = (await world.api.createSite({ path, body: { title: 'Docs' } })).id;
    for (const title of ['Start', 'News']) {
      const body = { title, spaceId: await addSpace(world, title) };
      const { id } = await world.api.createSiteSection({ path: { ...path, siteId: site.siteId }, body });
      site.siteSectionId ||= id;
    }
  });
  await using _world = world;
  const path = { organizationId: world.organization, ...site };
  await world.api.deleteSiteSection({ path });
  const plan = await place.plan();
  world.platform.faults = [{ operation: 'moveSiteSection', effect: { status: 500 } }];
  const { restore } = await place.apply(plan);
  world.platform.faults = [];
  const back = await place.undo(restore, plan);
  expect(back.steps).toContainEqual(
    expect.objectContaining({ kind: 'site-section', title: 'Start', action: 'unsupported' }),
  );
});
