// A target that refuses the visibility of a site: what it has instead may let in more than the one that it had.
import { expect, it } from 'vitest';
import type { ApplyResult } from '../../src/restore/index.ts';
import { wholeWorld } from '../support/furnished.ts';
import { createTarget, type Target } from '../support/restore.ts';
import type { TestWorld } from '../support/world.ts';

// As it is, and without its type.
const REFUSED = { operation: 'createSite', nth: 1, count: 2, effect: { status: 403 } } as const;
const INSTEAD = /visibility is share-link instead of visitor-auth/;

async function seenBy(visibility: 'visitor-auth' | 'share-link'): Promise<TestWorld> {
  const world = await wholeWorld();
  const path = { organizationId: world.organization };
  for (const { id } of (await world.api.listSites({ path })).items)
    await world.api.updateSite({ path: { ...path, siteId: id }, body: { visibility } });
  await world.sync();
  return world;
}

async function visibilities({ client, organization }: Target): Promise<string[]> {
  const { items } = await client.call('listSites', { path: { organizationId: organization } }, {});
  return items.map(({ visibility }) => visibility);
}

function toldOfSite({ failures }: ApplyResult): string | undefined {
  return failures.find(({ kind }) => kind === 'site')?.error;
}

it('restore/apply shows a site to nobody without a link where the visibility is refused that it had: it was open to everybody then', async () => {
  await using world = await seenBy('visitor-auth');
  await using target = await createTarget(world);
  const plan = await target.plan();
  target.platform.faults = [REFUSED];
  const applied = await target.apply(plan);
  expect(await visibilities(target)).toContain('share-link');
  expect(await visibilities(target)).not.toContain('public');
  expect(toldOfSite(applied)).toMatch(INSTEAD);
});

it('restore/resume says so too of a site whose answer was lost: it was done without a word', async () => {
  await using world = await seenBy('visitor-auth');
  await using target = await createTarget(world);
  const plan = await target.plan();
  target.platform.faults = [REFUSED, { operation: 'createSite', nth: 3, effect: 'cut-after' }];
  const { restore } = await target.apply(plan);
  const before = (await visibilities(target)).length;
  target.platform.faults = [];
  const resumed = await target.resume(restore);
  expect((await visibilities(target)).length).toBe(before);
  expect(toldOfSite(resumed)).toMatch(INSTEAD);
});

it('restore/apply makes no site that only a link may show where that is refused: what is left to the target lets in more', async () => {
  await using world = await seenBy('share-link');
  await using target = await createTarget(world);
  const plan = await target.plan();
  const there = await visibilities(target);
  target.platform.faults = [{ operation: 'createSite', effect: { status: 403 } }];
  const applied = await target.apply(plan);
  expect(await visibilities(target)).toEqual(there);
  expect(toldOfSite(applied)).toMatch(/createSite.* answered 403/);
});
