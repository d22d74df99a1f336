// The plan as people read it.
import { expect, it } from 'vitest';
import { planOutline } from '../../src/restore/index.ts';
import { addSpace, edit } from '../support/content.ts';
import { mirrored } from '../support/in-place.ts';

it('restore/plan-outline heads the writes to a space with its title, whatever the first of them is about', async () => {
  const { world, made, place } = await mirrored();
  await using _world = world;
  await edit(world, made.guide, { type: 'delete_page', page: made.pages['Linux'] ?? '' });
  const path = { spaceId: made.guide, changeRequestId: made.requests.open };
  await world.api.updateChangeRequest({ path, body: { status: 'archived' } });
  const lines = planOutline(await place.plan());
  expect(lines.some((line) => line.includes(`space ${made.guide}`))).toBe(false);
  expect(lines).toContain('  space Guide');
});

it('restore/plan-outline names a site that stands by its title when only a part of it is written', async () => {
  let path = { organizationId: '', siteId: '', siteSectionId: '' };
  const { world, place } = await mirrored(async (world) => {
    const { organization: organizationId } = world;
    const { id: siteId } = await world.api.createSite({
      path: { organizationId },
      body: { title: 'Docs', spaces: [] },
    });
    const own = { organizationId, siteId };
    const body = { spaceId: await addSpace(world, 'One'), title: 'First' };
    const { id: siteSectionId } = await world.api.createSiteSection({ path: own, body });
    path = { ...own, siteSectionId };
  });
  await using _world = world;
  await world.api.updateSiteSection({ path, body: { title: 'Other' } });
  const lines = planOutline(await place.plan());
  expect(lines.some((line) => line.includes(path.siteId))).toBe(false);
  expect(lines).toContain('  site Docs');
});
