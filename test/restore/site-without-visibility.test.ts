// A target that refuses the visibility of a site: what it has instead may let in more than the one that it had.
import { expect, it } from 'vitest';
import { organize } from '../support/organization.ts';
import { createTarget, type Target } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';
import { furnish } from '../support/content.ts';

const REFUSED = { operation: 'createSite', nth: 1, count: 2, effect: { status: 403 } } as const;
const INSTEAD = /visibility is public instead of share-link/;

async function shared(): Promise<TestWorld> {
  const world = await TestWorld.create();
  await furnish(world);
  await organize(world);
  const path = { organizationId: world.organization };
  for (const { id } of (await world.api.listSites({ path })).items)
    await world.api.updateSite({ path: { ...path, siteId: id }, body: { visibility: 'share-link' } });
  await world.sync();
  return world;
}

async function visibilities({ client, organization }: Target): Promise<string[]> {
  const { items } = await client.call('listSites', { path: { organizationId: organization } }, {});
  return items.map(({ visibility }) => visibility);
}

it('restore/apply says which visibility a site has instead of the refused one: that it is open to everybody now nobody was told', async () => {
  await using world = await shared();
  await using target = await createTarget(world);
  const plan = await target.plan();
  target.platform.faults = [REFUSED];
  const { failures } = await target.apply(plan);
  expect(await visibilities(target)).toContain('public');
  expect(failures.find(({ kind }) => kind === 'site')?.error).toMatch(INSTEAD);
});

it('restore/resume says so too of a site whose answer was lost: it was done without a word', async () => {
  await using world = await shared();
  await using target = await createTarget(world);
  const plan = await target.plan();
  target.platform.faults = [REFUSED, { operation: 'createSite', nth: 3, effect: 'cut-after' }];
  const { restore } = await target.apply(plan);
  const before = (await visibilities(target)).length;
  target.platform.faults = [];
  const { failures } = await target.resume(restore);
  expect((await visibilities(target)).length).toBe(before);
  expect(failures.find(({ kind }) => kind === 'site')?.error).toMatch(INSTEAD);
});
