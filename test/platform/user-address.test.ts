// The address that every user names as its own.
import { expect, it } from 'vitest';
import { createWorld, type World } from './world.ts';

async function ask(world: World, address: string, token: string): Promise<readonly [number, unknown]> {
  const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
  return [answer.status, await answer.json()];
}

it('platform/users answer at the address that they name, to those who are in an organization with them: 404', async () => {
  await using world = await createWorld();
  const { platform, organization } = world;
  const made = { displayName: 'Robin Vale', email: 'robin@example.com', organization, role: 'read' as const };
  const { id } = platform.createUser(made);
  const { items } = (await world.call('listMembers', { path: { organizationId: organization } })).body;
  const robin = items.find(({ user }) => user.id === id)?.user;
  const address = robin?.urls?.location ?? '';
  expect(await ask(world, address, platform.token)).toEqual([200, robin]);
  const apart = platform.createOrganization({ title: 'Apart' });
  const stranger = platform.createUser({ ...made, email: 'sam@example.com', organization: apart });
  expect((await ask(world, address, stranger.token))[0]).toBe(404);
  expect((await ask(world, `${address}x`, platform.token))[0]).toBe(404);
});
