// Listings that show fewer than they count themselves, and that nothing above them counts.
import { describe, expect, it } from 'vitest';
import { addCollection, addRequest, addSpace } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const HOUR = 3_600_000;

const countIn = (world: TestWorld, view: string): number =>
  Number(rowsOf(world.mirror, `select count(*) as n from ${view}`)[0]?.['n']);

async function worldWithCollections(): Promise<TestWorld> {
  const world = await TestWorld.create();
  const manuals = await addCollection(world, 'Manuals');
  for (const title of ['Guides', 'Notes', 'Drafts']) await addCollection(world, title, manuals);
  for (const title of ['One', 'Two']) await addSpace(world, title, manuals);
  return world;
}

describe('walker/visits/own-count', () => {
  it('calls no first walk complete whose listing of members came without its second half: nobody saw who was left out', async () => {
    await using world = await furnishedWorld();
    world.platform.faults = [{ operation: 'listMembers', effect: 'short-list' }];
    const { snapshot, failures } = await world.sync();
    expect(snapshot.state).toBe('partial');
    expect(failures.map(({ kind, code, error }) => ({ kind, code, error }))).toContainEqual({
      kind: 'member',
      code: 'DM_INCOMPLETE',
      error: `The listing of each member below ${world.organization} shows 1, and its own count is 2`,
    });
    world.platform.faults = [];
    expect((await world.sync()).snapshot.state).toBe('complete');
    expect([countIn(world, 'members'), countIn(world, 'shortages')]).toEqual([2, 0]);
  });

  it.each(['listOrganizations', 'listCollections', 'listCollectionSpaces', 'listMembers'] as const)(
    'is complete when %s shows all when it is asked for again',
    async (operation) => {
      await using world = await worldWithCollections();
      world.platform.faults = [{ operation, nth: 1, effect: 'short-list' }];
      const { snapshot, failures } = await world.sync();
      expect([snapshot.state, failures]).toEqual(['complete', []]);
      expect([countIn(world, 'collections'), countIn(world, 'spaces'), countIn(world, 'members')]).toEqual([4, 2, 1]);
    },
  );

  it('is partial without an organization, or the spaces of a collection, that a listing counts and does not show', async () => {
    for (const operation of ['listOrganizations', 'listCollectionSpaces'] as const) {
      await using world = await worldWithCollections();
      world.platform.createOrganization({ title: 'Second' });
      world.platform.faults = [{ operation, effect: 'short-list' }];
      const { snapshot, failures } = await world.sync();
      expect([snapshot.state, failures[0]?.code, failures[0]?.error]).toEqual([
        'partial',
        'DM_INCOMPLETE',
        expect.stringMatching(/^The listing of each \S+( below \S+)? shows \d, and its own count is 2$/),
      ]);
      world.platform.faults = [];
      expect((await world.sync()).snapshot.state).toBe('complete');
    }
  });

  it('is partial when a walk of one collection was not shown all that are nested in it', async () => {
    await using world = await worldWithCollections();
    await world.sync();
    const manuals = String(rowsOf(world.mirror, "select id from collections where title = 'Manuals'")[0]?.['id']);
    const scope = { organizations: null, onlySpaces: null, extraSpaces: [], onlyCollections: [manuals] };
    world.platform.faults = [{ operation: 'listCollections', effect: 'short-list' }];
    const { snapshot, failures } = await world.sync({ scope });
    expect([snapshot.state, failures[0]?.kind]).toEqual(['partial', 'collection']);
    world.platform.faults = [];
    expect((await world.sync()).snapshot.state).toBe('complete');
  });

  it('takes it for how the platform counts after half a day, asks once from then on, and doubts it when it grows', async () => {
    await using world = await worldWithCollections();
    await using proxy = await rewriting(world);
    let more = 1;
    proxy.rewrite = (_, { status, body }) => {
      const { items } = body as { readonly items?: readonly unknown[] };
      return items === undefined ? undefined : { status, body: { ...(body as object), count: items.length + more } };
    };
    const walked = async (): Promise<string> =>
      (await world.sync({ client: proxy.client, mode: 'full' })).snapshot.state;
    expect([await walked(), await walked()]).toEqual(['partial', 'partial']);
    world.clock.advance(13 * HOUR);
    expect(await walked()).toBe('complete');
    world.platform.clearRequestLog();
    expect(await walked()).toBe('complete');
    const counted = world.platform.requestLog.counts();
    more = 0;
    await walked();
    world.platform.clearRequestLog();
    expect(await walked()).toBe('complete');
    expect(counted).toEqual(world.platform.requestLog.counts());
    more = 2;
    expect(await walked()).toBe('partial');
  });

  it('believes counts of one page, and counts that heed no filter: both show all there is', async () => {
    await using world = await furnishedWorld();
    await using proxy = await rewriting(world);
    const { guide } = world.made;
    const settings = { pageSize: 2 };
    proxy.rewrite = (_, { status, body }) => {
      const { items } = body as { readonly items?: readonly unknown[] };
      return items === undefined ? undefined : { status, body: { ...(body as object), count: items.length } };
    };
    expect((await world.sync({ client: proxy.client, settings })).failures).toEqual([]);
    const requests = Number(
      rowsOf(world.mirror, 'select count(*) as n from change_requests where space = ?', guide)[0]?.['n'],
    );
    expect(requests).toBeGreaterThan(2);
    proxy.rewrite = ({ path }, { status, body }) =>
      path === `/v1/spaces/${guide}/change-requests`
        ? { status, body: { ...(body as object), count: requests } }
        : undefined;
    const { snapshot, failures } = await world.sync({ client: proxy.client, settings, mode: 'full' });
    expect([snapshot.state, failures]).toEqual(['complete', []]);
  });

  it('adds up no counts that heed no filter: where one status was refused, or one request is hidden, each new request made the night partial', async () => {
    for (const hidden of [0, 1]) {
      await using world = await TestWorld.create();
      await using proxy = await rewriting(world);
      const space = await addSpace(world, 'Guide');
      const path = `/v1/spaces/${space}/change-requests`;
      let made = 0;
      const refused = { status: 400, body: { error: { code: 400, message: 'no such status' } } };
      proxy.before = (asked) => (asked.path === path && asked.query.get('status') === 'archived' ? refused : undefined);
      proxy.rewrite = (asked, { status, body }) =>
        asked.path === path && status === 200
          ? { status, body: { ...(body as object), count: made + hidden } }
          : undefined;
      const states: string[] = [];
      for (let night = 0; night < 4; night++) {
        await addRequest(world, space, { subject: `Of night ${night}` });
        made += 1;
        states.push((await world.sync({ client: proxy.client, mode: 'full' })).snapshot.state);
        world.clock.advance(24 * HOUR);
      }
      expect(states).toEqual([hidden === 0 ? 'complete' : 'partial', 'complete', 'complete', 'complete']);
    }
  });
});
