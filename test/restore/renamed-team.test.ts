// A team that stands: its name is set back, and who is in it is beyond every operation.
import { expect, it } from 'vitest';
import { planTree } from '../support/plan-tree.ts';
import { bare } from '../support/in-place.ts';

it('restore/verify passes a team whose name was set back and which somebody has left since: the plan had said that nobody comes back into it', async () => {
  let robin = '';
  let team = '';
  const { world, place } = await bare(async ({ api, organization, platform }) => {
    const person = { displayName: 'Robin', email: 'r@example.com', organization, role: 'edit' } as const;
    robin = platform.createUser(person).id;
    const body = { title: 'Writers', members: [robin] };
    team = (await api.createTeam({ path: { organizationId: organization }, body })).id;
  });
  await using _world = world;
  const path = { organizationId: world.organization, teamId: team };
  await world.api.updateTeam({ path, body: { title: 'Spoilt' } });
  world.platform.removeTeamMember({ team, user: robin });
  const plan = await place.plan();
  expect(planTree(plan).join()).toContain('no operation changes who is in a team');
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  expect(await place.verify(restore)).toMatchObject({ passed: true, notRestored: { team: 1 } });
});
