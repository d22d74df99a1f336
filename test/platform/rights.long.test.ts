import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Role } from '../../src/contract/index.ts';
import { createWorld, listAll, type World } from './world.ts';

const ROLES: readonly Role[] = ['read', 'comment', 'edit', 'review', 'create', 'admin'];

function person(world: World, role: Role | null): { id: string; token: string } {
  return world.platform.createUser({
    displayName: `Person ${role ?? 'guest'}`,
    email: 'p@example.com',
    organization: world.organization,
    role,
  });
}

async function makeCollection(world: World, parent?: string): Promise<string> {
  const path = { organizationId: world.organization };
  const body = { title: 'Collection', ...(parent === undefined ? {} : { parent }) };
  return (await world.call('createCollection', { path, body })).body.id;
}

async function makeSpace(world: World, parent?: string): Promise<string> {
  const path = { organizationId: world.organization };
  return (await world.call('createSpace', { path, body: parent === undefined ? {} : { parent } })).body.id;
}

/** The spaces that the API lists for somebody, with the role it names. */
async function spacesOf(world: World, user: { id: string; token: string }): Promise<Record<string, Role>> {
  const path = { organizationId: world.organization, userId: user.id };
  const items = await listAll(world, 'listMemberSpaces', { path, token: user.token, query: { limit: 2 } });
  return Object.fromEntries(items.map(({ space, permission }) => [space.id, permission]));
}

describe('platform/access of members', () => {
  it('gives everybody the role in the organization where nothing else is said', async () => {
    await using world = await createWorld();
    const spaceId = await makeSpace(world, await makeCollection(world));
    for (const role of ROLES) {
      const { token, id } = person(world, role);
      const { body } = await world.call('getSpace', { path: { spaceId }, token });
      expect(body.permissions).toMatchObject({
        view: true,
        comment: role !== 'read',
        edit: !['read', 'comment'].includes(role),
        merge: ['review', 'create', 'admin'].includes(role),
        admin: ['create', 'admin'].includes(role),
      });
      expect(await spacesOf(world, { id, token })).toEqual({ [spaceId]: role });
    }
  });

  it('says of an organization what its members may do there, and lets them do that', async () => {
    await using world = await createWorld();
    const path = { organizationId: world.organization };
    const source = { text: 'of no matter' };
    for (const role of ROLES) {
      const at = { path, token: person(world, role).token };
      const [isAdmin, creates] = [role === 'admin', ['create', 'admin'].includes(role)];
      expect((await world.call('getOrganization', at)).body.permissions).toEqual({
        view: true,
        admin: isAdmin,
        ownTeam: isAdmin,
        createContent: creates,
        createOpenAPISpec: creates,
        viewBilling: isAdmin,
        listMembers: true,
        listTeams: true,
        listIntegrations: creates,
      });
      const made = [
        await world.call('createOpenApiSpec', { ...at, body: { slug: role, source } }),
        await world.call('createTranslationSettings', { ...at, body: { title: role } }),
        await world.call('createCustomField', { ...at, body: { name: role, type: 'text' } }),
      ];
      const expected = creates ? 201 : 403;
      expect(made.map(({ status }) => status)).toEqual([expected, expected, expected]);
    }
  });

  it('lets nobody make a space in a collection who may not create there', async () => {
    await using world = await createWorld();
    const parent = await makeCollection(world);
    for (const role of ROLES) {
      const { token } = person(world, role);
      const path = { organizationId: world.organization };
      const made = await world.call('createSpace', { path, token, body: { parent } });
      expect([role, made.status]).toEqual([role, ['create', 'admin'].includes(role) ? 201 : 403]);
    }
  });

  it('takes the nearest default level around a space, for better and for worse', async () => {
    await using world = await createWorld();
    const collectionId = await makeCollection(world);
    const spaceId = await makeSpace(world, await makeCollection(world, collectionId));
    const path = { spaceId };
    const { token } = person(world, 'edit');
    const setLevel = (level: Role | null | 'inherit') =>
      world.call('updateCollection', { path: { collectionId }, body: { defaultLevel: level } });
    await setLevel('read');
    expect((await world.call('getSpace', { path, token })).body.permissions).toMatchObject({ view: true, edit: false });
    expect((await world.call('createChangeRequest', { path, token })).status).toBe(403);
    await setLevel('create');
    expect((await world.call('getSpace', { path, token })).body.permissions.admin).toBe(true);
    await world.call('updateSpace', { path, body: { defaultLevel: 'comment' } });
    expect((await world.call('createChangeRequest', { path, token })).status).toBe(403);
    await world.call('updateSpace', { path, body: { defaultLevel: 'inherit' } });
    await setLevel('inherit');
    expect((await world.call('createChangeRequest', { path, token })).status).toBe(201);
  });

  it('hides what has no default level from all but administrators', async () => {
    await using world = await createWorld();
    const collectionId = await makeCollection(world);
    const hidden = await makeSpace(world, collectionId);
    const open = await makeSpace(world);
    await world.call('updateCollection', { path: { collectionId }, body: { defaultLevel: null } });
    const reviewer = person(world, 'review');
    const { token } = reviewer;
    expect((await world.call('getSpace', { path: { spaceId: hidden }, token })).status).toBe(404);
    expect((await world.call('listPages', { path: { spaceId: hidden }, token })).status).toBe(404);
    expect((await world.call('getCollection', { path: { collectionId }, token })).status).toBe(404);
    expect(await spacesOf(world, reviewer)).toEqual({ [open]: 'review' });
    const path = { organizationId: world.organization, userId: reviewer.id };
    expect((await world.call('getMember', { path })).body.spaces).toBe(1);
    const members = await world.call('listMembers', { path });
    const counts = members.body.items.map(({ id, spaces }) => [
      id === reviewer.id ? 'reviewer' : 'administrator',
      spaces,
    ]);
    expect(Object.fromEntries(counts)).toEqual({ administrator: 2, reviewer: 1 });
    const collections = await world.call('listCollections', { path, token });
    expect(collections.body).toMatchObject({ count: 0, items: [] });
    expect((await world.call('listCollections', { path })).body.count).toBe(1);
    expect((await world.call('createSpace', { path, token, body: { parent: collectionId } })).status).toBe(400);
    const { owner: userId } = world.platform;
    const ofOwner = await world.call('listMemberSpaces', { path: { ...path, userId }, token });
    expect([ofOwner.body.count, ofOwner.body.items.map(({ space }) => space.id)]).toEqual([1, [open]]);
  });

  it('shows nobody a hidden space when it comes back from the bin without the collection that hid it', async () => {
    await using world = await createWorld();
    const collectionId = await makeCollection(world);
    const nested = await makeCollection(world, collectionId);
    const [inside, open, outside] = [
      await makeSpace(world, nested),
      await makeSpace(world, nested),
      await makeSpace(world),
    ];
    await world.call('updateCollection', { path: { collectionId }, body: { defaultLevel: null } });
    await world.call('updateSpace', { path: { spaceId: open }, body: { defaultLevel: 'comment' } });
    const reader = person(world, 'read');
    const before = await spacesOf(world, reader);
    expect(before).toEqual({ [open]: 'comment', [outside]: 'read' });
    await world.call('deleteCollection', { path: { collectionId } });
    for (const spaceId of [inside, open]) await world.call('restoreSpace', { path: { spaceId } });
    expect(await spacesOf(world, reader)).toEqual(before);
    expect((await world.call('getSpace', { path: { spaceId: inside } })).body.defaultLevel).toBeNull();
  });

  it('keeps the role of who changes a default level', async () => {
    await using world = await createWorld();
    const spaceId = await makeSpace(world);
    const creator = person(world, 'create');
    const path = { spaceId };
    const changed = await world.call('updateSpace', { path, body: { defaultLevel: null }, token: creator.token });
    expect(changed.body.permissions).toMatchObject({ view: true, admin: true });
    expect(await spacesOf(world, creator)).toEqual({ [spaceId]: 'create' });
    const copy = await world.call('duplicateSpace', { path, token: creator.token });
    expect(copy.body.permissions).toMatchObject({ view: true, admin: true });
    expect((await world.call('getSpace', { path, token: person(world, 'create').token })).status).toBe(404);
    // What an administrator may do needs no keeping, and ends with that.
    const { id: userId, token } = person(world, 'admin');
    await world.call('updateSpace', { path, body: { defaultLevel: null }, token });
    const lowered = { path: { organizationId: world.organization, userId }, body: { role: 'read' } };
    expect((await world.call('updateMember', lowered)).status).toBe(200);
    expect((await world.call('getSpace', { path, token })).status).toBe(404);
  });

  it('keeps the role of who moves something to where they have none on it: they saw it no more, and only an administrator could undo that', async () => {
    await using world = await createWorld();
    const around = await makeCollection(world);
    const [spaceId, collectionId] = [await makeSpace(world, around), await makeCollection(world, around)];
    const { id: user, token } = person(world, 'create');
    world.platform.grant({ collection: around, user, role: 'create' });
    const hidden = { body: { defaultLevel: null } };
    await world.call('updateSpace', { path: { spaceId }, ...hidden });
    await world.call('updateCollection', { path: { collectionId }, ...hidden });
    const out = { body: { parent: null }, token };
    expect((await world.call('moveSpace', { path: { spaceId }, ...out })).body.permissions.admin).toBe(true);
    expect((await world.call('moveCollection', { path: { collectionId }, ...out })).body.permissions.admin).toBe(true);
    expect((await world.call('getSpace', { path: { spaceId }, token })).status).toBe(200);
    expect((await world.call('getCollection', { path: { collectionId }, token })).status).toBe(200);
  });

  it('keeps for who transfers something the role that let it in there, and asks for that one: they saw it no more', async () => {
    await using world = await createWorld();
    const { owner: userId } = world.platform;
    const organization = world.platform.createOrganization({ title: 'Other' });
    const [spaceId, collectionId] = [await makeSpace(world), await makeCollection(world)];
    const inside = await makeSpace(world, collectionId);
    const hidden = { body: { defaultLevel: null } };
    await world.call('updateSpace', { path: { spaceId }, ...hidden });
    await world.call('updateCollection', { path: { collectionId }, ...hidden });
    const { token: boss } = person({ ...world, organization }, 'admin');
    const become = (role: Role) =>
      world.call('updateMember', { path: { organizationId: organization, userId }, body: { role }, token: boss });
    const transfer = { path: { spaceId, collectionId }, body: { organization } };
    const { token: stranger } = person(world, 'admin');
    expect((await world.call('transferSpace', { ...transfer, token: stranger })).status).toBe(404);
    await become('review');
    expect((await world.call('transferSpace', transfer)).status).toBe(403);
    expect((await world.call('transferCollection', transfer)).status).toBe(403);
    await become('create');
    expect((await world.call('transferSpace', transfer)).body.permissions.admin).toBe(true);
    expect((await world.call('transferCollection', transfer)).body.permissions.admin).toBe(true);
    for (const one of [spaceId, inside]) {
      const { body } = await world.call('getSpace', { path: { spaceId: one } });
      expect([body.organization, body.permissions.admin]).toEqual([organization, true]);
    }
  });
});

describe('platform/access by grants', () => {
  it('opens a space to a guest, and nothing else', async () => {
    await using world = await createWorld();
    const spaceId = await makeSpace(world);
    const other = await makeSpace(world);
    await world.call('updateSpace', { path: { spaceId: other }, body: { defaultLevel: 'read' } });
    const guest = person(world, null);
    const { token } = guest;
    expect((await world.call('getSpace', { path: { spaceId }, token })).status).toBe(404);
    world.platform.grant({ space: spaceId, user: guest.id, role: 'comment' });
    expect(await spacesOf(world, guest)).toEqual({ [spaceId]: 'comment' });
    const comment = { path: { spaceId }, token, body: { body: { markdown: 'Hello' } } };
    expect((await world.call('createComment', comment)).status).toBe(200);
    expect((await world.call('createChangeRequest', { path: { spaceId }, token })).status).toBe(403);
    const path = { organizationId: world.organization };
    expect((await world.call('getOrganization', { path, token })).body.permissions).toMatchObject({
      view: true,
      listMembers: false,
      createContent: false,
    });
    expect((await world.call('listMembers', { path, token })).status).toBe(403);
    world.platform.revoke({ space: spaceId, user: guest.id });
    expect((await world.call('getSpace', { path: { spaceId }, token })).status).toBe(404);
  });

  it('reaches through a collection and a team', async () => {
    await using world = await createWorld();
    const collectionId = await makeCollection(world);
    const spaceId = await makeSpace(world, await makeCollection(world, collectionId));
    const other = await makeSpace(world);
    const member = person(world, 'read');
    const path = { organizationId: world.organization };
    const team = await world.call('createTeam', { path, body: { title: 'Writers', members: [member.id] } });
    world.platform.grant({ collection: collectionId, team: team.body.id, role: 'create' });
    expect(await spacesOf(world, member)).toEqual({ [spaceId]: 'create', [other]: 'read' });
    const teamPath = { ...path, teamId: team.body.id };
    expect((await world.call('getTeam', { path: teamPath })).body.spaces).toBe(1);
    const made = await world.call('createSpace', { path, token: member.token, body: { parent: collectionId } });
    expect(made.status).toBe(201);
    expect((await world.call('createSpace', { path, token: member.token })).status).toBe(403);
    const move = { path: { spaceId: made.body.id }, token: member.token, body: { parent: null } };
    expect((await world.call('moveSpace', move)).status).toBe(403);
    await world.call('deleteTeam', { path: teamPath });
    expect(await spacesOf(world, member)).toMatchObject({ [spaceId]: 'read' });
  });

  it('takes the higher of two grants and of the role in the organization', async () => {
    await using world = await createWorld();
    const collectionId = await makeCollection(world);
    const spaceId = await makeSpace(world, collectionId);
    const member = person(world, 'comment');
    world.platform.grant({ collection: collectionId, user: member.id, role: 'review' });
    world.platform.grant({ space: spaceId, user: member.id, role: 'read' });
    expect(await spacesOf(world, member)).toEqual({ [spaceId]: 'review' });
    const path = { organizationId: world.organization };
    const team = await world.call('createTeam', { path, body: { title: 'Readers', members: [member.id] } });
    world.platform.grant({ collection: collectionId, team: team.body.id, role: 'edit' });
    expect(await spacesOf(world, member)).toEqual({ [spaceId]: 'review' });
  });

  it('lets a space be duplicated by who may create beside it, and shows them the copy', async () => {
    await using world = await createWorld();
    const [around, alone] = [await makeCollection(world), await makeSpace(world)];
    const inside = await makeSpace(world, around);
    const { id: user, token } = person(world, null);
    for (const space of [alone, inside]) world.platform.grant({ space, user, role: 'create' });
    const copyOf = (spaceId: string) => world.call('duplicateSpace', { path: { spaceId }, token });
    expect([(await copyOf(alone)).status, (await copyOf(inside)).status]).toEqual([403, 400]);
    world.platform.grant({ collection: around, user, role: 'create' });
    const { status, body } = await copyOf(inside);
    expect([status, body.permissions]).toMatchObject([201, { view: true, admin: true }]);
  });

  it('ends with the membership and when the space goes to another organization', async () => {
    await using world = await createWorld();
    const spaceId = await makeSpace(world);
    const guest = person(world, null);
    world.platform.grant({ space: spaceId, user: guest.id, role: 'edit' });
    const copy = await world.call('duplicateSpace', { path: { spaceId } });
    expect(await spacesOf(world, guest)).toEqual({ [spaceId]: 'edit', [copy.body.id]: 'edit' });
    const organization = world.platform.createOrganization({ title: 'Other' });
    await world.call('transferSpace', { path: { spaceId }, body: { organization } });
    await world.call('transferSpace', { path: { spaceId }, body: { organization: world.organization } });
    expect(await spacesOf(world, guest)).toEqual({ [copy.body.id]: 'edit' });
    await world.call('deleteMember', { path: { organizationId: world.organization, userId: guest.id } });
    const path = { spaceId: copy.body.id, userId: guest.id };
    expect((await world.call('getSpace', { path, token: guest.token })).status).toBe(404);
    // Everybody may know about themselves, also who is in no organization any more.
    expect((await world.call('getUser', { path, token: guest.token })).body.id).toBe(guest.id);
  });

  it('refuses to name what is not there', async () => {
    await using world = await createWorld();
    const { id } = person(world, null);
    expect(() => world.platform.grant({ space: 'none', user: id, role: 'read' })).toThrow('Space none');
    const spaceId = await makeSpace(world);
    expect(() => world.platform.grant({ space: spaceId, user: 'none', role: 'read' })).toThrow('no member');
    expect(() => world.platform.grant({ space: spaceId, team: 'none', role: 'read' })).toThrow('Team none');
  });
});

describe('platform/access as a whole', () => {
  const level = fc.constantFrom<(Role | null | 'inherit')[]>('inherit', 'inherit', null, 'read', 'edit', 'create');

  it('lists, counts, shows and refuses by the same roles', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          role: fc.constantFrom<(Role | null)[]>(null, 'read', 'edit', 'admin'),
          levels: fc.array(level, { minLength: 6, maxLength: 6 }),
          grants: fc.array(
            fc.record({ which: fc.nat(5), role: fc.constantFrom<Role[]>('read', 'comment', 'review') }),
            {
              maxLength: 3,
            },
          ),
        }),
        async ({ role, levels, grants }) => {
          await using world = await createWorld();
          const collections = [await makeCollection(world)];
          collections.push(await makeCollection(world, collections[0]));
          const spaces = [await makeSpace(world), await makeSpace(world)];
          for (const parent of [collections[0], collections[1]]) spaces.push(await makeSpace(world, parent));
          const targets = [...collections.map((collection) => ({ collection })), ...spaces.map((space) => ({ space }))];
          const user = person(world, role);
          await setLevels(world, targets, levels);
          for (const { which, role: granted } of grants) {
            const target = targets[which];
            if (target) world.platform.grant({ ...target, user: user.id, role: granted });
          }
          await expectAgreement(world, user, spaces);
        },
      ),
      { numRuns: 25 },
    );
  });
});

type Target = { space: string } | { collection: string };

async function setLevels(world: World, targets: readonly Target[], levels: readonly (Role | null | 'inherit')[]) {
  for (const [i, target] of targets.entries()) {
    const body = { defaultLevel: levels[i] };
    if ('space' in target) await world.call('updateSpace', { path: { spaceId: target.space }, body });
    else await world.call('updateCollection', { path: { collectionId: target.collection }, body });
  }
}

/** What one user is listed, shown and counted is the same set of spaces. */
async function expectAgreement(world: World, user: { id: string; token: string }, spaces: readonly string[]) {
  const listed = await spacesOf(world, user);
  const path = { organizationId: world.organization, userId: user.id };
  const { body } = await world.call('getMember', { path });
  expect(body.spaces).toBe(Object.keys(listed).length);
  const page = await world.call('listMemberSpaces', { path, token: user.token, query: { limit: 1 } });
  expect(page.body.count).toBe(body.spaces);
  for (const spaceId of spaces) {
    const shown = await world.call('getSpace', { path: { spaceId }, token: user.token });
    const permission = listed[spaceId];
    expect(shown.status).toBe(permission === undefined ? 404 : 200);
    if (permission === undefined) continue;
    const edit = await world.call('createChangeRequest', { path: { spaceId }, token: user.token });
    expect(edit.status).toBe(shown.body.permissions.edit === true ? 201 : 403);
    expect(shown.body.permissions.edit).toBe(!['read', 'comment'].includes(permission));
  }
}
