// What a snapshot could not read, or the token is refused, it says nothing of: a restore makes nothing there, and takes nothing away.
import { expect, it } from 'vitest';
import type { OperationName } from '../../src/contract/index.ts';
import type { FaultPlan } from '../../src/platform/index.ts';
import { furnish } from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
import { organize } from '../support/organization.ts';
import { drill } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

const refusing = (...operations: OperationName[]): FaultPlan =>
  operations.map((operation) => ({ operation, effect: { status: 403 } }));

async function furnished(): Promise<TestWorld> {
  const world = await TestWorld.create();
  await furnish(world);
  await organize(world);
  return world;
}

const unknown = expect.objectContaining({ check: 'what is not known', state: 'warn' }) as unknown;

it.each([true, false])(
  'takes nothing away for which the snapshot could not look: sites and comments were deleted as not in it (accepted: %s)',
  async (acceptRights) => {
    await using world = await furnished();
    world.platform.faults = refusing('listSites', 'listComments');
    await world.sync({ acceptRights });
    world.platform.faults = [];
    const plan = await inPlace(world).plan({ added: true, changed: false, missing: false });
    expect(plan.steps.filter(({ action }) => action === 'delete')).toEqual([]);
    expect(plan.preflight).toContainEqual(unknown);
    expect(plan.preflight).toContainEqual(expect.objectContaining({ check: 'the snapshot', state: 'warn' }));
  },
);

it('makes nothing anew that the token is only refused: all that it lost the right to see was missing', async () => {
  await using world = await furnished();
  await world.sync();
  world.platform.faults = refusing('listSites', 'listTeams');
  await world.sync({ acceptRights: true, mode: 'full' });
  const plan = await inPlace(world).plan({ snapshot: 1 });
  expect(plan.steps.filter(({ action }) => action === 'create')).toEqual([]);
  expect(plan.preflight).toContainEqual(unknown);
});

it.each(['listTeams', 'listCustomFields', 'listSiteSections', 'listSiteSectionGroups', 'listMembers'] as const)(
  'passes a drill of what is left where the token is refused %s: what names what it may not see is no exact field',
  async (operation) => {
    await using world = await furnished();
    world.platform.faults = refusing(operation);
    const { snapshot } = await world.sync({ acceptRights: true });
    world.platform.faults = [];
    const { passed, differences } = await drill(world);
    expect([snapshot.state, passed]).toEqual(['complete', true]);
    expect(differences.filter((one) => one.class === 'exact')).toEqual([]);
  },
);
