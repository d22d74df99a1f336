// A space or collection keeps its id in another organization: what becomes of the one it left is nothing to it.
import { describe, expect, it } from 'vitest';
import { addCollection, addSpace, furnish } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const NOT_FOUND = { status: 404, body: { error: { code: 404, message: 'Not found' } } };
const spaces = (world: TestWorld): unknown[] => rowsOf(world.mirror, 'select title from spaces order by title');

describe('walker, transfers', () => {
  it('does not bury a space with the organization that it has left', async () => {
    await using world = await furnishedWorld();
    await using proxy = await rewriting(world);
    const { client } = proxy;
    const { news } = world.made;
    const other = world.platform.createOrganization({ title: 'Other' });
    await world.sync({ client });
    await world.api.transferSpace({ path: { spaceId: news }, body: { organization: other } });
    await world.sync({ client });
    const { organization } = world;
    proxy.rewrite = ({ path }, { status, body }) => {
      if (path.startsWith(`/v1/orgs/${organization}`)) return NOT_FOUND;
      if (path !== '/v1/orgs') return undefined;
      const items = (body as { items: { id: string }[] }).items.filter(({ id }) => id !== organization);
      return { status, body: { ...(body as object), items, count: items.length } };
    };
    const { snapshot } = await world.sync({ client });
    expect(snapshot.reason).toBe('1 of 2 organizations gone at once');
    expect(rowsOf(world.mirror, 'select id, organization from spaces')).toEqual([{ id: news, organization: other }]);
    expect(
      rowsOf(world.mirror, 'select kind from tombstones join resources using (rid) where key like ?', `${news}%`),
    ).toEqual([{ kind: 'link' }]);
  });

  it('records a transferred space as deleted that is deleted where it stands now', async () => {
    await using world = await TestWorld.create();
    const other = world.platform.createOrganization({ title: 'Other' });
    const spaceId = await addSpace(world, 'Lone');
    await world.sync();
    await world.api.transferSpace({ path: { spaceId }, body: { organization: other } });
    await world.sync();
    const scope = { organizations: [other], onlySpaces: null, extraSpaces: [] };
    await world.sync({ scope });
    await world.api.deleteSpace({ path: { spaceId } });
    expect((await world.sync({ scope })).snapshot.state).toBe('complete');
    expect(spaces(world)).toEqual([]);
  });

  it('records a space as deleted that was first found when its organization was none of the configured ones', async () => {
    await using world = await TestWorld.create();
    const other = world.platform.createOrganization({ title: 'Other' });
    const { id } = await world.api.createSpace({ path: { organizationId: other }, body: { title: 'Handbook' } });
    await world.sync({ scope: { organizations: [world.organization], onlySpaces: null, extraSpaces: [id] } });
    await world.sync();
    await world.api.deleteSpace({ path: { spaceId: id } });
    expect((await world.sync()).snapshot.state).toBe('complete');
    expect(spaces(world)).toEqual([]);
  });

  it('shows which spaces members see after two organizations have exchanged one: those who see as many as before kept the other until the rota', async () => {
    await using world = await TestWorld.create();
    const { api, organization, platform } = world;
    const other = platform.createOrganization({ title: 'Other' });
    for (const home of [organization, other])
      platform.createUser({ displayName: 'Kim', email: `${home}@example.com`, organization: home, role: 'edit' });
    const given = await addSpace(world, 'Given');
    const { id: taken } = await api.createSpace({ path: { organizationId: other }, body: { title: 'Taken' } });
    const shown = (home: string): unknown[] =>
      rowsOf(world.mirror, 'select member, space from space_members where organization = ? order by member', home);
    const settings = { rereadNights: 1000 };
    await world.sync({ settings });
    const [ofOne, ofOther] = [shown(organization), shown(other)];
    await api.transferSpace({ path: { spaceId: given }, body: { organization: other } });
    await api.transferSpace({ path: { spaceId: taken }, body: { organization } });
    expect((await world.sync({ settings })).snapshot.state).toBe('complete');
    const exchanged = (rows: unknown[], space: string): unknown[] => rows.map((row) => ({ ...(row as object), space }));
    expect([shown(organization), shown(other)]).toEqual([exchanged(ofOne, taken), exchanged(ofOther, given)]);
  });

  it('is complete after a collection was transferred, and has it below its new organization', async () => {
    await using world = await TestWorld.create();
    const other = world.platform.createOrganization({ title: 'Other' });
    const collectionId = await addCollection(world, 'Manuals');
    await addSpace(world, 'Guide', collectionId);
    await world.sync();
    await world.api.transferCollection({ path: { collectionId }, body: { organization: other } });
    for (const mode of ['incremental', 'incremental', 'full'] as const)
      expect((await world.sync({ mode })).snapshot.state).toBe('complete');
    expect(rowsOf(world.mirror, 'select id, organization from collections')).toEqual([
      { id: collectionId, organization: other },
    ]);
  });

  it('is complete after all collections of an organization were transferred: it was partial, with each said to be listed no more', async () => {
    await using world = await TestWorld.create();
    const other = world.platform.createOrganization({ title: 'Other' });
    const manuals = await addCollection(world, 'Manuals');
    const guides = await addCollection(world, 'Guides', manuals);
    await world.sync();
    await world.api.transferCollection({ path: { collectionId: manuals }, body: { organization: other } });
    for (const _ of ['first', 'second'])
      expect((await world.sync()).snapshot).toMatchObject({ state: 'complete', reason: null });
    expect(rowsOf(world.mirror, 'select id, organization from collections order by title desc')).toEqual([
      { id: manuals, organization: other },
      { id: guides, organization: other },
    ]);
  });

  it('believes no direct read of collections on the first night on which their organization shows none', async () => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    const { client } = proxy;
    for (const title of ['Manuals', 'Guides']) await addCollection(world, title);
    await world.sync({ client });
    proxy.rewrite = ({ path }, { status, body }) => {
      if (path.startsWith('/v1/collections/')) return NOT_FOUND;
      return path.includes('/collections') ? { status, body: { ...(body as object), items: [], count: 0 } } : undefined;
    };
    const states = [];
    for (const _ of ['first', 'second']) states.push((await world.sync({ client })).snapshot.reason);
    expect(states[0]).toBe('2 collections no longer listed');
    expect(rowsOf(world.mirror, 'select title from collections')).toEqual([]);
  });

  it('reads the links of a space that was transferred again: they named the organization that it had left, for nights', async () => {
    await using world = await TestWorld.create();
    const other = world.platform.createOrganization({ title: 'Other' });
    const { guide } = await furnish(world);
    await world.sync();
    await world.api.transferSpace({ path: { spaceId: guide }, body: { organization: other } });
    await world.sync();
    const sql = `select distinct json_extract(target_reference, '$.organization.id') as organization from links
      where space = ? and json_extract(target_reference, '$.space.id') = space`;
    expect(rowsOf(world.mirror, sql, guide)).toEqual([{ organization: other }]);
  });
});
