// What was made anew stands for what was lost, and is set back by a snapshot that has it.
import { expect, it } from 'vitest';
import type { Plan } from '../../src/restore/index.ts';
import { bare } from '../support/in-place.ts';

function said({ preflight }: Plan): string[] {
  return preflight.filter(({ check }) => check === 'made anew before').map(({ detail }) => detail);
}

it('restore/in-place names what was made anew and is left as it is by now: the plan said that there was nothing to write, and nothing else', async () => {
  let lost = '';
  const { world, place } = await bare(async ({ api, organization: organizationId }) => {
    lost = (await api.createSite({ path: { organizationId }, body: { title: 'Docs' } })).id;
  });
  await using _world = world;
  const path = { organizationId: world.organization };
  await world.api.deleteSite({ path: { ...path, siteId: lost } });
  const first = await place.plan();
  expect(said(first)).toEqual([]);
  const { restore } = await place.apply(first);
  const { snapshot } = await world.sync();
  const [site] = (await world.api.listSites({ path })).items;
  await world.api.updateSite({ path: { ...path, siteId: site?.id ?? '' }, body: { title: 'Vandalised' } });
  const plan = await place.plan({ snapshot: 1 });
  expect(plan.steps).toEqual([]);
  expect(said(plan)).toEqual([
    'site Docs: left as what stands for it is by now; to set that back, plan with a snapshot of after it was made anew',
  ]);
  expect(said(await place.plan({ snapshot: 1, changed: false }))).toEqual([]);
  expect(said(await place.undo(restore, first))).toEqual([]);
  const later = await place.plan({ snapshot: snapshot.id });
  expect([said(later), later.steps.map(({ title }) => title)]).toEqual([[], ['Docs']]);
});
