// A team that a restore made anew stands for the one that was lost, with those who are in it.
import { expect, it } from 'vitest';
import { planTree } from '../support/plan-tree.ts';
import { bare } from '../support/in-place.ts';

const ALL = { added: true };
const SAID = 'no operation changes who is in a team';

it('restore/in-place has nothing to say of a team that was made anew with everybody in it: each plan that takes away what is new named it', async () => {
  const people: string[] = [];
  let team = '';
  const { world, place } = await bare(async ({ api, organization, platform }) => {
    for (const name of ['Robin', 'Kim']) {
      const person = { displayName: name, email: `${name}@example.com`, organization, role: 'edit' } as const;
      people.push(platform.createUser(person).id);
    }
    const body = { title: 'Writers', members: people };
    team = (await api.createTeam({ path: { organizationId: organization }, body })).id;
  });
  await using _world = world;
  const path = { organizationId: world.organization };
  const said = async (choice = ALL): Promise<string> => planTree(await place.plan(choice)).join('\n');

  await world.api.deleteTeam({ path: { ...path, teamId: team } });
  await place.apply(await place.plan());
  expect(await said()).not.toContain(SAID);

  const { items } = await world.api.listTeams({ path });
  const anew = items.find(({ title }) => title === 'Writers')?.id ?? '';
  const [robin = '', kim = ''] = people;
  world.platform.removeTeamMember({ team: anew, user: robin });
  expect(await said({ added: false })).toContain(SAID);

  world.platform.addTeamMember({ team: anew, user: robin });
  world.platform.removeTeamMember({ team: anew, user: kim });
  world.platform.addTeamMember({ team: anew, user: world.platform.owner });
  expect(await said()).toContain(SAID);
});

it('restore verify finds who is in a team that was made anew where the mirror still shows them in the lost one: they were said to be missing', async () => {
  let [robin, team] = ['', ''];
  const { world, place } = await bare(async ({ api, organization, platform }) => {
    robin = platform.createUser({ displayName: 'Robin', email: 'robin@example.com', organization, role: 'edit' }).id;
    const body = { title: 'Writers', members: [robin] };
    team = (await api.createTeam({ path: { organizationId: organization }, body })).id;
  });
  await using _world = world;
  const path = { organizationId: world.organization };
  await world.api.deleteTeam({ path: { ...path, teamId: team } });
  // In as many teams as before: nothing tells a walk that it is another one.
  await world.api.createTeam({ path, body: { title: 'Writers', members: [robin] } });
  const { restore } = await place.apply(await place.plan());
  expect(await place.verify(restore)).toMatchObject({ passed: true, differences: [] });
});
