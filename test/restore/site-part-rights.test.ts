// Who makes spaces may not always change what a site shows.
import { expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import { bare } from '../support/in-place.ts';

it('restore/apply sends nothing with a token that may not change the parts of a site: the table named no right, and each write was refused', async () => {
  let siteId = '';
  let siteSectionId = '';
  let token = '';
  const { world, place } = await bare(async ({ api, organization, platform }) => {
    const path = { organizationId: organization };
    siteId = (await api.createSite({ path, body: { title: 'Docs', spaces: [] } })).id;
    const spaceId = await addSpace({ api, organization }, 'Guide');
    const made = await api.createSiteSection({ path: { ...path, siteId }, body: { spaceId, title: 'Guide' } });
    siteSectionId = made.id;
    const person = { displayName: 'Kim', email: 'kim@example.com', organization, role: 'create' } as const;
    token = platform.createUser(person).token;
  });
  await using _world = world;
  const path = { organizationId: world.organization, siteId, siteSectionId };
  await world.api.updateSiteSection({ path, body: { title: 'Mistitled' } });
  const plan = await place.plan();
  expect(plan.preflight.map(({ check }) => check)).toContain('right admin');

  await using client = world.clientOf({ url: world.platform.url, token });
  place.clear();
  await expect(place.apply(plan, { client })).rejects.toMatchObject({ code: 'DM_FORBIDDEN' });
  expect(place.writes()).toEqual({});
});
