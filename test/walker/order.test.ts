// The order that people gave to collections, spaces and parts of sites is kept, as of the listing that showed it.
import { describe, expect, it } from 'vitest';
import { readerAt } from '../../src/mirror/index.ts';
import { addCollection, addSpace } from '../support/content.ts';
import { organizedWorld } from '../support/furnished.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const titles = (world: TestWorld, view: string, where = '1'): unknown[] =>
  rowsOf(world.mirror, `select title from ${view} where ${where} order by position`).map(({ title }) => title);

const bodies = (world: TestWorld): unknown => rowsOf(world.mirror, 'select count(*) as n from bodies')[0]?.['n'];

async function inOrder() {
  const world = await TestWorld.create();
  const collection = await addCollection(world, 'All');
  const spaces: string[] = [];
  for (const title of ['One', 'Two', 'Three']) spaces.push(await addSpace(world, title, collection));
  const before = (space: string) => ({ before: { type: 'space' as const, space } });
  return { world, collection, spaces, before };
}

describe('walker/spaces, order', () => {
  it('keeps the order of spaces within a collection, and a reordering as history that stores no body', async () => {
    const { world: made, collection, spaces, before } = await inOrder();
    await using world = made;
    await world.sync();
    expect(titles(world, 'spaces')).toEqual(['One', 'Two', 'Three']);
    const stored = bodies(world);
    const [first = '', , third = ''] = spaces;
    await world.api.moveSpace({ path: { spaceId: third }, body: { parent: collection, position: before(first) } });
    const { kinds, snapshot } = await world.sync({ mode: 'full' });
    expect(titles(world, 'spaces')).toEqual(['Three', 'One', 'Two']);
    expect(kinds['space']).toMatchObject({ seen: 3, changed: 3, unchanged: 0 });
    expect(snapshot.state).toBe('complete');
    const was = [...readerAt(world.mirror, 1).resources('space')].toSorted(
      (a, b) => (a.position ?? 0) - (b.position ?? 0),
    );
    expect(was.map(({ body }) => body['title'])).toEqual(['One', 'Two', 'Three']);
    expect(Number(bodies(world)) - Number(stored)).toBeLessThanOrEqual(1);
    const quiet = await world.sync({ mode: 'full' });
    expect(quiet.kinds['space']).toMatchObject({ seen: 3, changed: 0, unchanged: 3 });
  });

  it('finds a reordering that moves no counter within the nights of the rota', async () => {
    const { world: made, collection, spaces, before } = await inOrder();
    await using world = made;
    const settings = { rereadNights: 3 };
    await world.sync({ settings });
    const [first = '', second = ''] = spaces;
    await world.api.moveSpace({ path: { spaceId: second }, body: { parent: collection, position: before(first) } });
    for (let night = 0; night < 3; night++) await world.sync({ settings });
    expect(titles(world, 'spaces')).toEqual(['Two', 'One', 'Three']);
  });

  it('has no position for a space that left its collection', async () => {
    const { world: made, spaces } = await inOrder();
    await using world = made;
    await world.sync();
    await world.api.moveSpace({ path: { spaceId: spaces[1] ?? '' }, body: { parent: null } });
    await world.sync();
    expect(rowsOf(world.mirror, 'select title from spaces where position is null')).toEqual([{ title: 'Two' }]);
  });
});

const HOUR = 3_600_000;
const EMPTY = { operation: 'listCollectionSpaces', effect: 'empty-list' } as const;
const places = (world: TestWorld): unknown[] =>
  rowsOf(world.mirror, 'select title, position from spaces order by position').map(Object.values);

describe('walker/visits/space-order', () => {
  it('closes the gap on the night on which a space of a collection is gone', async () => {
    const { world: made, spaces } = await inOrder();
    await using world = made;
    await world.sync();
    await world.sync();
    await world.api.deleteSpace({ path: { spaceId: spaces[1] ?? '' } });
    expect((await world.sync()).snapshot.state).toBe('complete');
    expect(places(world)).toEqual([
      ['One', 0],
      ['Three', 1],
    ]);
  });

  it('does not believe an empty listing of a collection whose spaces other routes show, where they may have been reordered', async () => {
    const { world: made, collection, spaces, before } = await inOrder();
    await using world = made;
    await world.sync();
    const [first = '', , third = ''] = spaces;
    await world.api.moveSpace({ path: { spaceId: third }, body: { parent: collection, position: before(first) } });
    world.platform.faults = [{ ...EMPTY, nth: 1 }];
    expect((await world.sync({ mode: 'full' })).snapshot.state).toBe('complete');
    expect(titles(world, 'spaces')).toEqual(['Three', 'One', 'Two']);
  });

  it('is not complete while the listing of a collection lacks spaces, and finds their order on the next night', async () => {
    const { world: made, collection, spaces, before } = await inOrder();
    await using world = made;
    await world.sync();
    const [first = '', , third = ''] = spaces;
    await world.api.moveSpace({ path: { spaceId: third }, body: { parent: collection, position: before(first) } });
    world.platform.faults = [EMPTY];
    const { snapshot, failures } = await world.sync({ mode: 'full' });
    expect(snapshot.state).toBe('partial');
    expect(failures.map(({ error }) => error)).toEqual([
      `The listing of collection ${collection} lacks 3 of the 3 spaces that are in it, or gives them the place of others`,
    ]);
    world.platform.faults = [];
    expect((await world.sync()).snapshot.state).toBe('complete');
    expect(titles(world, 'spaces')).toEqual(['Three', 'One', 'Two']);
    expect(rowsOf(world.mirror, 'select * from shortages')).toEqual([]);
  });

  it('takes it for how the platform lists when a collection lacks its spaces for half a day', async () => {
    const { world: made } = await inOrder();
    await using world = made;
    world.platform.faults = [EMPTY];
    expect((await world.sync()).snapshot.state).toBe('partial');
    world.clock.advance(13 * HOUR);
    expect((await world.sync()).snapshot.state).toBe('complete');
    expect((await world.sync()).snapshot.state).toBe('complete');
  });

  it('has the parent and the place of a space that moves between the listings of a member and of its collection', async () => {
    const { world: made, collection, spaces, before } = await inOrder();
    await using world = made;
    const other = await addCollection(world, 'Other');
    const stays = await addSpace(world, 'Stays', other);
    await world.sync();
    let moved = false;
    const client = world.hooked(async (operation) => {
      if (operation !== 'listCollectionSpaces' || moved) return;
      moved = true;
      await world.api.moveSpace({
        path: { spaceId: spaces[2] ?? '' },
        body: { parent: other, position: before(stays) },
      });
    });
    expect((await world.sync({ client, mode: 'full' })).snapshot.state).toBe('complete');
    expect(rowsOf(world.mirror, 'select title, parent, position from spaces order by title')).toEqual([
      { title: 'One', parent: collection, position: 0 },
      { title: 'Stays', parent: other, position: 1 },
      { title: 'Three', parent: other, position: 0 },
      { title: 'Two', parent: collection, position: 1 },
    ]);
  });

  it('asks for no listing more than once where nothing is amiss', async () => {
    const { world: made } = await inOrder();
    await using world = made;
    await world.sync();
    expect(world.asked('listCollectionSpaces')).toBe(1);
  });
});

describe('walker/listing, order', () => {
  it('keeps the order of collections below each parent', async () => {
    await using world = await TestWorld.create();
    const parent = await addCollection(world, 'Parent');
    for (const title of ['A', 'B', 'C']) await addCollection(world, title, parent);
    await addCollection(world, 'Second');
    await world.sync();
    expect(titles(world, 'collections', 'parent is not null')).toEqual(['A', 'B', 'C']);
    expect(titles(world, 'collections', 'parent is null')).toEqual(['Parent', 'Second']);
  });

  it('keeps the order of the parts of a site', async () => {
    await using world = await organizedWorld();
    const { site } = world.made;
    await world.sync();
    const path = { organizationId: world.organization, siteId: site };
    const { items } = await world.api.listSiteSections({ path });
    expect(titles(world, 'site_sections', `site = '${site}'`)).toEqual(items.map(({ title }) => title));
  });

  it('gives listings that come by time no position', async () => {
    await using world = await organizedWorld();
    await world.sync();
    const placed = rowsOf(
      world.mirror,
      'select distinct kind from versions join resources using (rid) where position is not null order by kind',
    ).map(({ kind }) => kind);
    expect(placed).toEqual(['page', 'site-section', 'site-section-group', 'site-space']);
  });
});
