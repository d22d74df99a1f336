import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AnyOperationName, Role } from '../../src/contract/index.ts';
import { createWorld, listAll, type Input, type World } from './world.ts';

interface Person {
  id: string;
  token: string;
}

function person(world: World, displayName: string, role: Role | null): Person {
  const email = `${displayName.toLowerCase()}@example.com`;
  return world.platform.createUser({ displayName, email, organization: world.organization, role });
}

describe('platform/teams', () => {
  let world: World;
  let path: { organizationId: string };
  let ann: Person;
  let ben: Person;
  beforeEach(async () => {
    world = await createWorld();
    path = { organizationId: world.organization };
    ann = person(world, 'Ann', 'edit');
    ben = person(world, 'Ben', 'read');
    return () => world[Symbol.asyncDispose]();
  });

  const makeTeam = async (title: string, members: string[] = []) =>
    (await world.call('createTeam', { path, body: { title, members } })).body;

  it('counts its members, each once', async () => {
    const team = await makeTeam('Writers', [ann.id, ben.id, ann.id]);
    expect(team).toMatchObject({ title: 'Writers', members: 2, spaces: 0, permissions: { admin: true, view: true } });
    world.platform.removeTeamMember({ team: team.id, user: ben.id });
    world.platform.addTeamMember({ team: team.id, user: ann.id, role: 'owner' });
    expect((await world.call('getTeam', { path: { ...path, teamId: team.id } })).body.members).toBe(1);
    await world.call('deleteMember', { path: { ...path, userId: ann.id } });
    expect((await world.call('getTeam', { path: { ...path, teamId: team.id } })).body.members).toBe(0);
  });

  it('refuses who is no member of the organization, and makes nothing then', async () => {
    const refused = await world.call('createTeam', { path, body: { title: 'Writers', members: [ann.id, 'nobody'] } });
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toMatch(/^members: nobody/);
    expect((await world.call('listTeams', { path })).body).toEqual({ count: 0, items: [] });
  });

  it('are listed by title in any case and by who can manage them', async () => {
    const one = await makeTeam('Équipe', [ann.id]);
    const two = await makeTeam('Docs Writers', [ann.id]);
    world.platform.addTeamMember({ team: two.id, user: ann.id, role: 'owner' });
    const titles = async (query: Input['query']) =>
      (await listAll(world, 'listTeams', { path, query: { ...query, limit: 1 } })).map((team) => team.title);
    expect(await titles({})).toEqual([one.title, two.title]);
    expect(await titles({ title: 'éQUIPE' })).toEqual([one.title]);
    expect(await titles({ title: 'none' })).toEqual([]);
    expect(await titles({ owner: ann.id })).toEqual([two.title]);
    expect(await titles({ owner: ben.id })).toEqual([]);
    expect(await titles({ owner: world.platform.owner, title: 'docs' })).toEqual([two.title]);
  });

  it('can be changed by their owners and by administrators only', async () => {
    const team = await makeTeam('Writers', [ann.id, ben.id]);
    const rename = { path: { ...path, teamId: team.id }, body: { title: 'Authors' } };
    world.platform.addTeamMember({ team: team.id, user: ann.id, role: 'owner' });
    expect((await world.call('updateTeam', { ...rename, token: ben.token })).status).toBe(403);
    const renamed = await world.call('updateTeam', { ...rename, token: ann.token });
    expect(renamed.body).toMatchObject({ title: 'Authors', permissions: { admin: true } });
    const seen = await world.call('getTeam', { path: rename.path, token: ben.token });
    expect(seen.body.permissions).toEqual({ admin: false, view: true });
    expect((await world.call('deleteTeam', { path: rename.path, token: ben.token })).status).toBe(403);
    expect((await world.call('deleteTeam', { path: rename.path, token: ann.token })).status).toBe(204);
    expect((await world.call('deleteTeam', { path: rename.path })).status).toBe(404);
  });

  it('of a member are listed with the role there', async () => {
    const one = await makeTeam('Writers', [ann.id]);
    const two = await makeTeam('Readers', [ann.id, ben.id]);
    world.platform.addTeamMember({ team: one.id, user: ann.id, role: 'owner' });
    const { owner } = world.platform;
    const { id } = await makeTeam('Owners', [owner]);
    const ofOwner = await world.call('listMemberTeams', { path: { ...path, userId: owner } });
    expect(ofOwner.body.items).toMatchObject([{ team: { id }, member: { role: 'owner' } }]);
    const own = { path: { ...path, userId: ann.id } };
    const listed = await listAll(world, 'listMemberTeams', { ...own, query: { limit: 1 } });
    expect(listed.map((entry) => [entry.team.id, entry.member.role])).toEqual([
      [one.id, 'owner'],
      [two.id, 'member'],
    ]);
    const filtered = await world.call('listMemberTeams', { ...own, query: { title: 'READ' } });
    expect(filtered.body).toMatchObject({ count: 1, items: [{ team: { id: two.id } }] });
    expect((await world.call('getMember', own)).body.teams).toBe(2);
    const guest = person(world, 'Guest', null);
    world.platform.addTeamMember({ team: two.id, user: guest.id });
    const ofGuest = { path: { ...path, userId: guest.id }, token: guest.token };
    expect((await world.call('listMemberTeams', ofGuest)).body.count).toBe(1);
    await world.call('deleteTeam', { path: { ...path, teamId: two.id } });
    expect((await world.call('getMember', own)).body.teams).toBe(1);
  });

  it('of another organization do not exist under this one', async () => {
    const team = await makeTeam('Writers');
    const organizationId = world.platform.createOrganization({ title: 'Other' });
    expect((await world.call('getTeam', { path: { organizationId, teamId: team.id } })).status).toBe(404);
  });
});

describe('platform/members', () => {
  let world: World;
  let path: { organizationId: string };
  beforeEach(async () => {
    world = await createWorld();
    path = { organizationId: world.organization };
    return () => world[Symbol.asyncDispose]();
  });

  const names = async (query: Input['query'], token?: string) => {
    const input = { path, query: { ...query, limit: 1 }, ...(token === undefined ? {} : { token }) };
    return (await listAll(world, 'listMembers', input)).map((member) => member.user.displayName);
  };

  it('are filtered by role, guests included, and by name and address in any case', async () => {
    person(world, 'Ärla', 'edit');
    person(world, 'Guest', null);
    expect(await names({ role: 'guest' })).toEqual(['Guest']);
    expect(await names({ role: 'admin' })).toEqual(['Admin']);
    expect(await names({ search: 'äRLA' })).toEqual(['Ärla']);
    expect((await names({ search: '@EXAMPLE' })).length).toBe(3);
    const counted = await world.call('listMembers', { path, query: { search: 'guest', role: 'edit' } });
    expect(counted.body).toEqual({ count: 0, items: [] });
  });

  it('are sorted by when they joined or were last seen; then only those who were', async () => {
    const early = person(world, 'Early', 'read');
    world.clock.advance(1000);
    const late = person(world, 'Late', 'read');
    expect(await names({ order: 'asc' })).toEqual(['Admin', 'Early', 'Late']);
    expect(await names({})).toEqual(['Late', 'Early', 'Admin']);
    for (const { token } of [late, early]) {
      world.clock.advance(1000);
      expect((await world.call('pingOrganization', { path, token })).body).toEqual({});
    }
    expect(await names({ sort: 'lastSeenAt' })).toEqual(['Early', 'Late']);
    expect(await names({ sort: 'lastSeenAt', order: 'asc' })).toEqual(['Late', 'Early']);
  });

  it('show what a ping, a new role and single sign-on changed', async () => {
    const { id, token } = person(world, 'Pat', 'read');
    const own = { path: { ...path, userId: id } };
    const before = (await world.call('getMember', own)).body;
    expect(before).toMatchObject({ role: 'read', sso: false, disabled: false, teams: 0 });
    expect(before.lastSeenAt).toBeUndefined();
    await world.call('pingOrganization', { path, token });
    await world.call('updateMember', { ...own, body: { role: null } });
    await world.call('setMemberSso', own);
    const after = (await world.call('getMember', { ...own, token })).body;
    expect(after).toMatchObject({ role: null, sso: true });
    expect(Date.parse(after.lastSeenAt ?? '')).toBeGreaterThanOrEqual(Date.parse(before.joinedAt));
  });

  it('include an administrator at all times', async () => {
    const own = { path: { ...path, userId: world.platform.owner } };
    expect((await world.call('deleteMember', own)).status).toBe(412);
    expect((await world.call('updateMember', { ...own, body: { role: 'create' } })).status).toBe(412);
    const other = person(world, 'Other', 'admin');
    expect((await world.call('updateMember', { ...own, body: { role: 'create' } })).status).toBe(200);
    const rest = { path: { ...path, userId: other.id }, token: other.token };
    expect((await world.call('deleteMember', rest)).status).toBe(412);
  });
});

describe('platform/sign-on and invites', () => {
  let world: World;
  let path: { organizationId: string };
  beforeAll(async () => {
    world = await createWorld();
    path = { organizationId: world.organization };
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it('a SAML provider answers its service addresses and its team', async () => {
    const team = await world.call('createTeam', { path, body: { title: 'Newcomers' } });
    const body = {
      label: 'Work',
      ssoURL: 'https://id.example.com/sso',
      defaultTeam: team.body.id,
      defaultRole: 'read',
    };
    const made = await world.call('createSamlProvider', { path, body });
    expect(made.body).toMatchObject({ label: 'Work', defaultRole: 'read', defaultTeam: { id: team.body.id } });
    const { acsURL, startURL, entityID } = made.body.service;
    for (const address of [acsURL, startURL, entityID]) expect(address).toMatch(`${world.platform.url}/saml/`);
    const own = { path: { ...path, samlProviderId: made.body.id } };
    const changed = await world.call('updateSamlProvider', { ...own, body: { label: 'Home', defaultRole: null } });
    expect(changed.body).toMatchObject({ label: 'Home', defaultRole: null, ssoURL: body.ssoURL });
    expect((await world.call('listSsoProviders', { path, token: person(world, 'Guest', null).token })).body).toEqual({
      items: [{ id: made.body.id, label: 'Home', startURL }],
    });
    await world.call('deleteTeam', { path: { ...path, teamId: team.body.id } });
    expect((await world.call('getSamlProvider', own)).body.defaultTeam).toBeUndefined();
    expect((await world.call('deleteSamlProvider', own)).status).toBe(204);
    expect((await world.call('getSamlProvider', own)).status).toBe(404);
  });

  it('a SAML provider refuses a team that is not there', async () => {
    const body = { label: 'Work', defaultTeam: 'none' };
    const refused = await world.call('createSamlProvider', { path, body });
    expect(refused.body.error).toEqual({ code: 400, message: expect.stringMatching(/^defaultTeam: /) });
    expect((await world.call('listSamlProviders', { path })).body.count).toBe(0);
    const { body: made } = await world.call('createSamlProvider', { path, body: { label: 'Work' } });
    const own = { path: { ...path, samlProviderId: made.id } };
    expect((await world.call('updateSamlProvider', { ...own, body })).status).toBe(400);
  });

  it('an invite is redundant when it gives nothing over the default role', async () => {
    const inviteId = world.platform.createInvite({ organization: world.organization, role: 'edit' });
    const own = { path: { ...path, inviteId } };
    expect((await world.call('getInvite', own)).body).toEqual({
      object: 'invite',
      id: inviteId,
      role: 'edit',
      redundant: false,
    });
    await world.call('updateOrganization', { path, body: { defaultRole: 'review' } });
    expect((await world.call('getInvite', own)).body.redundant).toBe(true);
    expect((await world.call('updateInvite', { ...own, body: { role: 'create' } })).body.redundant).toBe(false);
    expect((await world.call('deleteInvite', own)).status).toBe(205);
    expect((await world.call('getInvite', own)).status).toBe(404);
  });
});

/** Who may not, and what no body may be: one row per write and per read that not everybody may do. */
const REFUSALS: readonly { name: AnyOperationName; role?: Role | null; body?: unknown; wrong?: [unknown, string] }[] = [
  { name: 'listTeams', role: null },
  { name: 'getTeam', role: null },
  { name: 'createTeam', role: 'create', body: { title: 'T' }, wrong: [{ title: '' }, 'title'] },
  { name: 'updateTeam', role: 'create', body: { title: 'T' }, wrong: [{ title: 'x'.repeat(65) }, 'title'] },
  { name: 'deleteTeam', role: 'create' },
  { name: 'listMembers', role: null },
  { name: 'getMember', role: null },
  { name: 'updateMember', role: 'create', body: { role: 'admin' }, wrong: [{ role: 'boss' }, 'role'] },
  { name: 'deleteMember', role: 'create' },
  { name: 'setMemberSso', role: 'create' },
  { name: 'listMemberTeams', role: null },
  { name: 'listMemberSpaces', role: null },
  { name: 'listSamlProviders', role: 'create' },
  { name: 'getSamlProvider', role: 'create' },
  { name: 'createSamlProvider', role: 'create', body: { label: 'L' }, wrong: [{ label: 'x'.repeat(31) }, 'label'] },
  { name: 'updateSamlProvider', role: 'create', body: { label: 'L' }, wrong: [{ ssoURL: 'no address' }, 'ssoURL'] },
  { name: 'deleteSamlProvider', role: 'create' },
  { name: 'getInvite', role: 'create' },
  { name: 'updateInvite', role: 'create', body: { role: 'admin' }, wrong: [{ role: 'boss' }, 'role'] },
  { name: 'deleteInvite', role: 'create' },
];

describe('platform/people refuse', () => {
  let world: World;
  let path: Record<string, string>;
  beforeAll(async () => {
    world = await createWorld();
    const { organization } = world;
    const at = { organizationId: organization };
    const team = await world.call('createTeam', { path: at, body: { title: 'Team' } });
    const provider = await world.call('createSamlProvider', { path: at, body: { label: 'Work' } });
    path = {
      ...at,
      teamId: team.body.id,
      samlProviderId: provider.body.id,
      userId: person(world, 'Target', 'read').id,
      inviteId: world.platform.createInvite({ organization, role: 'read' }),
    };
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it.each(REFUSALS)('$name to who lacks the right', async ({ name, role = null, body }) => {
    const { token } = person(world, 'Low', role);
    expect((await world.call(name, { path, token, body })).status).toBe(403);
  });

  it.each(REFUSALS.filter((row) => row.wrong))('$name with a body out of bounds, naming the field', async (row) => {
    const [body, field] = row.wrong ?? [];
    const reply = await world.call(row.name, { path, body });
    expect(reply.status).toBe(400);
    expect(reply.body.error.message).toMatch(new RegExp(`^${field}: `));
  });

  it.each(REFUSALS.filter((row) => !row.name.startsWith('list') && !row.name.startsWith('create')))(
    '$name for an id that is not there',
    async ({ name, body }) => {
      const unknown = Object.fromEntries(Object.keys(path).map((key) => [key, 'none']));
      const reply = await world.call(name, { path: { ...unknown, organizationId: world.organization }, body });
      expect(reply.status).toBe(404);
    },
  );
});
