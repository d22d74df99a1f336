// The schema of claims of a site comes and goes with the site.
import { expect, it } from 'vitest';
import { bare } from '../support/in-place.ts';

const jsonSchema = {
  type: 'object',
  properties: { isBeta: { type: 'boolean', description: 'Sees what is not out yet' } },
  additionalProperties: false,
} as const;

it('restore/in-place writes the schema of a lost site once: the plan named it twice, and it was written a second time', async () => {
  let site = '';
  const { world, place } = await bare(async ({ api, organization: organizationId }) => {
    site = (await api.createSite({ path: { organizationId }, body: { title: 'Docs' } })).id;
    await api.putSiteAdaptiveSchema({ path: { organizationId, siteId: site }, body: { jsonSchema } });
  });
  await using _world = world;
  const path = { organizationId: world.organization };
  await world.api.deleteSite({ path: { ...path, siteId: site } });
  const { id: siteId } = await world.api.createSite({ path, body: { title: 'New' } });
  await world.api.putSiteAdaptiveSchema({ path: { ...path, siteId }, body: { jsonSchema } });
  const plan = await place.plan({ added: true });
  expect(plan.steps.map(({ kind, part, action }) => `${kind} ${part} ${action}`)).toEqual([
    'site create create',
    'site-adaptive-schema settings update',
    'site remove delete',
  ]);
  expect((await place.apply(plan)).failures).toEqual([]);
  expect((await place.plan({ added: true })).steps).toEqual([]);
});
