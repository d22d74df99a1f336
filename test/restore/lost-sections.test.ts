// Sections of a site whose spaces are not in the snapshot do not come back: what names them comes back without them.
import { expect, it } from 'vitest';
import { wholeWorld } from '../support/furnished.ts';
import { createTarget } from '../support/restore.ts';
import type { TestWorld } from '../support/world.ts';

async function deleteSpaces(world: TestWorld, titles: readonly string[]): Promise<void> {
  const mine = { organizationId: world.organization, userId: world.platform.owner };
  const { items } = await world.api.listMemberSpaces({ path: mine });
  for (const { space } of items)
    if (titles.includes(space.title)) await world.api.deleteSpace({ path: { spaceId: space.id } });
}

it.each([
  ['one of its sections', ['Answers'], []],
  ['the section that the site opens with', ['Guide', 'Reference'], ['bestEffort']],
])('restore/verify finds a group as it should be though no space of %s is left', async (_name, titles, said) => {
  await using world = await wholeWorld();
  await deleteSpaces(world, titles);
  await world.sync();
  await using target = await createTarget(world);
  const plan = await target.plan();
  const group = plan.steps.find(({ kind, part }) => kind === 'site-section-group' && part === 'create');
  expect(group?.note).toBe('with 1 section, without 1 that cannot come back');
  const { restore, failures } = await target.apply(plan);
  expect(failures).toEqual([]);
  const { passed, differences } = await target.verify(restore);
  expect([passed, differences.filter((one) => one.class === 'exact')]).toEqual([true, []]);
  // Another section is the first one then, which is said.
  expect(differences.filter(({ field }) => field === 'default').map((one) => one.class)).toEqual(said);
});
