// Listings that move while they are paged: one item is shown twice, and another not at all.
import { describe, expect, it } from 'vitest';
import type { ChangeRequest } from '../../src/contract/index.ts';
import { addCollection, addRequest, addSpace } from '../support/content.ts';
import { furnishedWorld, walkedWorld } from '../support/furnished.ts';
import { rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const MEMBER_SPACES = /\/members\/[^/]+\/spaces$/;
const settings = { pageSize: 2 };
const tombstones = (world: TestWorld): unknown[] => rowsOf(world.mirror, 'select * from tombstones');

interface Items {
  readonly items: readonly unknown[];
}

describe('walker/listing, repeated items', () => {
  it('does not count an item twice, so that one which is not shown is not taken for gone', async () => {
    await using world = await furnishedWorld();
    await using proxy = await rewriting(world);
    const { client } = proxy;
    await addSpace(world, 'Third');
    await world.sync({ client, settings });
    let first: readonly unknown[] = [];
    proxy.rewrite = ({ path, query }, { status, body }) => {
      if (!MEMBER_SPACES.test(path)) return undefined;
      const { items } = body as Items;
      if (query.has('page')) return { status, body: { ...(body as Items), items: items.map(() => first.at(-1)) } };
      first = items;
      return undefined;
    };
    const { snapshot, failures } = await world.sync({ client, settings, mode: 'full' });
    expect([snapshot.state, tombstones(world)]).toEqual(['partial', []]);
    expect(failures[0]?.error).toMatch(/^The listing of each space-member below \S+ shows 2, and 3 are counted$/);
    proxy.rewrite = () => undefined;
    expect((await world.sync({ client, settings })).snapshot.state).toBe('complete');
  });

  it('is not complete with a listing that shows an item twice and may lack one that nobody has seen', async () => {
    await using world = await furnishedWorld();
    await using proxy = await rewriting(world);
    const { client } = proxy;
    const { guide } = world.made;
    await world.sync({ client, settings });
    await addRequest(world, guide, { subject: 'Second draft' });
    const touched = await addRequest(world, guide, { subject: 'Third draft' });
    const drafts = async (): Promise<ChangeRequest[]> =>
      (await world.api.listChangeRequests({ path: { spaceId: guide }, query: { status: 'draft' } })).items;
    proxy.rewrite = async ({ path, query }, { status, body }) => {
      if (path !== `/v1/spaces/${guide}/change-requests` || query.get('status') !== 'draft') return undefined;
      const others = (await drafts()).filter(({ id }) => id !== touched.id);
      const items = query.has('page') ? [others[0]] : [touched, others[0]];
      return { status, body: { ...(body as Items), items } };
    };
    expect((await world.sync({ client, settings })).snapshot.state).toBe('partial');
    proxy.rewrite = () => undefined;
    expect((await world.sync({ client, settings })).snapshot.state).toBe('complete');
    expect(
      rowsOf(world.mirror, `select count(*) as n from change_requests where space = ? and status = 'draft'`, guide),
    ).toEqual([{ n: (await drafts()).length }]);
  });

  it('does not bury on the second night what a short listing lacks while its parent counts it', async () => {
    await using world = await furnishedWorld();
    await using proxy = await rewriting(world);
    const { client } = proxy;
    await addSpace(world, 'Third');
    await world.sync({ client });
    proxy.rewrite = ({ path }, { status, body }) =>
      MEMBER_SPACES.test(path) ? { status, body: { items: (body as Items).items.slice(0, 2) } } : undefined;
    for (let night = 0; night < 2; night++) expect((await world.sync({ client })).snapshot.state).toBe('partial');
    expect(tombstones(world)).toEqual([]);
  });

  it('takes in as many others as a listing showed, when it is asked for again', async () => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    const { client } = proxy;
    const spaceId = await addSpace(world, 'Discussed');
    const add = async (markdown: string): Promise<string> =>
      (await world.api.createComment({ path: { spaceId }, body: { body: { markdown } } })).id;
    const first = await add('first');
    await add('second');
    await world.sync({ client });
    const third = await add('third');
    let isDone = false;
    proxy.rewrite = async ({ path }, { status, body }) => {
      if (path !== `/v1/spaces/${spaceId}/comments` || isDone) return undefined;
      isDone = true;
      const items = (body as { items: { id: string }[] }).items.filter(({ id }) => id !== third);
      await world.api.deleteComment({ path: { spaceId, commentId: first } });
      return { status, body: { ...(body as Items), items } };
    };
    const { snapshot } = await world.sync({ client });
    const held = rowsOf(world.mirror, 'select id from comments order by id').map(({ id }) => id);
    const { items } = await world.api.listComments({ path: { spaceId }, query: {} });
    expect([snapshot.state, held]).toEqual(['complete', items.map(({ id }) => id).toSorted()]);
  });

  it('takes it for no repetition that a request is shown under two states, or moves between them', async () => {
    await using world = await furnishedWorld();
    await using proxy = await rewriting(world);
    const { guide } = world.made;
    proxy.rewrite = async ({ path, query }, { status }) => {
      if (path !== `/v1/spaces/${guide}/change-requests` || query.get('status') === null) return undefined;
      const states = ['draft', 'open', 'archived', 'merged'] as const;
      const all = await Promise.all(
        states.map((state) => world.api.listChangeRequests({ path: { spaceId: guide }, query: { status: state } })),
      );
      return { status, body: { items: all.flatMap(({ items }) => items) } };
    };
    const { snapshot, failures } = await world.sync({ client: proxy.client });
    expect([snapshot.state, failures]).toEqual(['complete', []]);
  });

  it('counts once what a listing shows that is read a second time, and below it', async () => {
    await using world = await walkedWorld();
    const held = (await world.sync({ mode: 'full' })).kinds;
    world.platform.faults = [{ operation: 'listComments', nth: 1, effect: 'short-list' }];
    const { snapshot, kinds } = await world.sync({ mode: 'full' });
    expect(snapshot.state).toBe('complete');
    expect(Object.entries(kinds).map(([kind, { seen }]) => [kind, seen])).toEqual(
      Object.entries(held).map(([kind, { seen }]) => [kind, seen]),
    );
  });

  it('believes repetitions after half a day, and not at once when they come back later', async () => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    const path = { organizationId: world.organization };
    for (const name of ['one', 'two'])
      await world.api.createCustomField({ path, body: { name, type: 'text', title: name } });
    const twice = (): void => {
      proxy.rewrite = ({ path: asked }, { status, body }) => {
        const { items } = body as Items;
        return asked.endsWith('/custom-fields') ? { status, body: { items: [...items, items[0]] } } : undefined;
      };
    };
    const walked = async (): Promise<string> => (await world.sync({ client: proxy.client })).snapshot.state;
    twice();
    expect(await walked()).toBe('partial');
    world.clock.advance(13 * 3_600_000);
    expect(await walked()).toBe('complete');
    proxy.rewrite = () => undefined;
    expect(await walked()).toBe('complete');
    twice();
    expect(await walked()).toBe('partial');
  });

  it('makes no version of what is listed twice: collections went from place to place on every quiet night, and back', async () => {
    await using world = await furnishedWorld();
    await using proxy = await rewriting(world);
    const { collection } = world.made;
    await addSpace(world, 'Second', collection);
    await addSpace(world, 'Third', collection);
    await addCollection(world, 'Second');
    proxy.rewrite = ({ path }, { status, body }) => {
      if (!/\/collections$|\/collections\/[^/]+\/spaces$/.test(path)) return undefined;
      const { items } = body as Items;
      return { status, body: { ...(body as Items), items: [...items, items[0]] } };
    };
    const versions = (): unknown => rowsOf(world.mirror, 'select count(*) as n from versions');
    await world.sync({ client: proxy.client });
    const first = versions();
    const { kinds } = await world.sync({ client: proxy.client, mode: 'full' });
    expect([kinds['collection']?.changed, kinds['space']?.changed, versions()]).toEqual([0, 0, first]);
    const places = 'select title, position from spaces where parent = ? order by position';
    expect(rowsOf(world.mirror, places, collection)).toEqual([
      { title: 'Second', position: 0 },
      { title: 'Third', position: 1 },
    ]);
  });

  it('keeps a member who is listed in two roles in the last of them, unchanged on the next night', async () => {
    await using world = await furnishedWorld();
    await using proxy = await rewriting(world);
    proxy.rewrite = ({ path }, { status, body }) => {
      if (!path.endsWith('/members')) return undefined;
      const items = (body as { items: object[] }).items.flatMap((one) => [one, { ...one, role: 'read' }]);
      return { status, body: { ...(body as Items), items } };
    };
    await world.sync({ client: proxy.client });
    world.clock.advance(13 * 3_600_000);
    const { snapshot, kinds } = await world.sync({ client: proxy.client });
    expect([snapshot.state, kinds['member']]).toMatchObject(['complete', { changed: 0 }]);
    expect(rowsOf(world.mirror, 'select distinct role from members')).toEqual([{ role: 'read' }]);
  });
});
