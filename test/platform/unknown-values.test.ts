// A platform that takes values of a newer one: it stores and shows them, and goes on answering as it should.
import { expect, it } from 'vitest';
import { createPlatformChecks } from '../../src/platform/index.ts';
import { operationNames, operationOf } from '../../src/contract/index.ts';
import { createWorld, spaceWithPages } from './world.ts';

const checks = createPlatformChecks({ takesUnknownValues: true });
const UNKNOWN = "o'clock %25 ü";

it('platform refuses an order or status of a listing that it does not know: with values of newer platforms it failed, or the order went into its SQL', async () => {
  await using world = await createWorld({ checks });
  const { spaceId } = await spaceWithPages(world, { One: 'first' });
  const member = await world.call('listMembers', { path: { organizationId: world.organization } });
  const path = { organizationId: world.organization, spaceId, userId: member.body.items[0]?.id ?? '' };
  const asked = operationNames.flatMap((name) => {
    const { query, method } = operationOf(name);
    const fields = method === 'GET' ? Object.entries(query?.properties ?? {}) : [];
    return fields.flatMap(([field, schema]) => ('enum' in schema ? [{ name, field }] : []));
  });
  expect(asked).toEqual(expect.arrayContaining([{ name: 'listComments', field: 'order' }]));
  for (const { name, field } of asked) {
    const { status } = await world.call(name, { path, query: { [field]: UNKNOWN } });
    expect([400, 404], `${name} ${field}`).toContain(status);
  }
});

it('platform lets whoever has a role that it does not know read: such a level took the rights of others, and of what it showed it said that none may view it', async () => {
  await using world = await createWorld({ checks });
  const organization = { organizationId: world.organization };
  const spaceId = (await world.call('createSpace', { path: organization })).body.id;
  const role = 'edit' as const;
  const made = { displayName: 'Pat', email: 'pat@example.com', organization: world.organization, role };
  const { id, token } = world.platform.createUser(made);
  await world.call('updateSpace', { path: { spaceId }, body: { defaultLevel: UNKNOWN } });
  const seen = await world.call('getSpace', { path: { spaceId }, token });
  expect([seen.status, seen.body.defaultLevel]).toEqual([200, UNKNOWN]);
  expect(seen.body.permissions).toMatchObject({ view: true, comment: false, admin: false });
  await world.call('updateMember', { path: { ...organization, userId: id }, body: { role: UNKNOWN } });
  const there = await world.call('getOrganization', { path: organization, token });
  expect(there.body.permissions).toMatchObject({ view: true, listMembers: true, admin: false });
});
