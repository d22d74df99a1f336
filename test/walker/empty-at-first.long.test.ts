// Listings that leave out what no walk has seen before: they are asked for again, and what else was read tells of what they lack.
import { describe, expect, it } from 'vitest';
import { failuresOf } from '../../src/mirror/index.ts';
import type { FaultPlan, FaultRule } from '../../src/platform/index.ts';
import { addCollection, addSpace } from '../support/content.ts';
import { forecast } from '../support/forecast.ts';
import { furnishedWorld, organizedWorld } from '../support/furnished.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const HOUR = 3_600_000;

const empty = (operation: FaultRule['operation'], rest: Partial<FaultRule> = {}): FaultPlan => [
  { operation, effect: 'empty-list', ...rest } as FaultRule,
];

/** What a first walk of the world as it is holds. */
async function truthOf(world: TestWorld): Promise<ReturnType<typeof stateOf>> {
  using mirror = await world.newMirror();
  return stateOf(mirror, (await world.sync({ mirror })).snapshot.id);
}

const said = (world: TestWorld, snapshot: number): string[] =>
  failuresOf(world.mirror, snapshot).map(({ error }) => error);

describe('walker, a listing that is empty on the first walk', () => {
  it.each(['listTeams', 'listSites', 'listSiteSections', 'listCustomFields', 'listOpenApiSpecs'] as const)(
    'is asked for again: one empty answer of %s, and the walk was complete without all that it lists',
    async (operation) => {
      await using world = await organizedWorld();
      const truth = await truthOf(world);
      world.platform.faults = empty(operation, { count: 1 });
      const { snapshot } = await world.sync();
      expect([snapshot.state, stateOf(world.mirror, snapshot.id)]).toEqual(['complete', truth]);
    },
  );

  it('is asked for once on every night after, as what is empty mostly is', async () => {
    await using world = await TestWorld.create();
    await world.sync();
    expect(world.asked('listTeams')).toBe(2);
    world.platform.clearRequestLog();
    await world.sync();
    expect(world.asked('listTeams')).toBe(1);
  });

  it('is not complete where the platform shows no organization at all: a mirror of nothing was called complete', async () => {
    await using world = await furnishedWorld();
    const truth = await truthOf(world);
    world.platform.faults = empty('listOrganizations');
    for (const night of [0, 1, 2]) {
      if (night > 0) world.clock.advance(24 * HOUR);
      const { snapshot } = await world.sync();
      expect([snapshot.state, snapshot.reason]).toEqual(['partial', 'not all organizations read']);
      expect(said(world, snapshot.id)).toEqual(['The platform shows this token no organization, so nothing was read']);
    }
    // A single answer without any may be of one moment.
    world.platform.faults = empty('listOrganizations', { count: 1 });
    const { snapshot } = await world.sync();
    expect([snapshot.state, stateOf(world.mirror, snapshot.id)]).toEqual(['complete', truth]);
  });

  it('may show no organization where spaces are named that the token may read', async () => {
    await using world = await furnishedWorld();
    world.platform.faults = empty('listOrganizations');
    const scope = { organizations: null, onlySpaces: null, extraSpaces: [world.made.news], invites: [] };
    expect((await world.sync({ scope })).snapshot.state).toBe('complete');
  });

  it('shows at least who reads it, where it is of members: with them the spaces of no collection were lacking, and nobody said so', async () => {
    await using world = await furnishedWorld();
    const truth = await truthOf(world);
    world.platform.faults = empty('listMembers');
    const { snapshot } = await world.sync();
    expect([snapshot.state, snapshot.reason]).toEqual(['partial', 'not all members read']);
    expect(said(world, snapshot.id)).toEqual([
      `The listing of each member below ${world.organization} shows 0, and there is at least one`,
    ]);
    world.platform.faults = [];
    const next = await world.sync();
    expect([next.snapshot.state, stateOf(world.mirror, next.snapshot.id)]).toEqual(['complete', truth]);
  });

  it('is believed of members when it goes on for half a day', async () => {
    await using world = await furnishedWorld();
    world.platform.faults = empty('listMembers');
    await world.sync();
    world.clock.advance(13 * HOUR);
    expect((await world.sync()).snapshot.state).toBe('complete');
  });

  it('shows at least the last version, where it is of a specification: it stayed without one until its night of the rota', async () => {
    await using world = await organizedWorld();
    const truth = await truthOf(world);
    world.platform.faults = empty('listOpenApiSpecVersions');
    const { snapshot } = await world.sync();
    expect([snapshot.state, snapshot.reason]).toEqual(['partial', 'not all openapi-spec-versions read']);
    world.platform.faults = [];
    const next = await world.sync();
    expect([next.snapshot.state, stateOf(world.mirror, next.snapshot.id)]).toEqual(['complete', truth]);
  });
});

describe('walker/visits/named-collection', () => {
  const collections = (world: TestWorld): unknown[] =>
    rowsOf(world.mirror, 'select title from collections order by title').map(({ title }) => title);

  it('reads a collection that only its space names, and those above it: the mirror had spaces in what it did not hold, and was complete', async () => {
    await using world = await TestWorld.create();
    const outer = await addCollection(world, 'Outer');
    const inner = await addCollection(world, 'Inner', outer);
    await addSpace(world, 'Guide', inner);
    const truth = await truthOf(world);
    world.platform.faults = empty('listCollections');
    const { snapshot } = await world.sync();
    expect([snapshot.state, snapshot.reason, collections(world)]).toEqual([
      'partial',
      'not all collections read',
      ['Inner', 'Outer'],
    ]);
    const lacking = (key: string): string =>
      `The listing of each collection below ${world.organization} lacks ${key}, which is there and holds what was read`;
    expect(said(world, snapshot.id)).toEqual([inner, outer].map(lacking));
    world.platform.faults = [];
    const next = await world.sync();
    expect([next.snapshot.state, stateOf(world.mirror, next.snapshot.id)]).toEqual(['complete', truth]);
  });

  it('believes a platform that goes on not to list what is there: every night after was partial, though half a day was said to be enough', async () => {
    await using world = await TestWorld.create();
    await addSpace(world, 'Guide', await addCollection(world, 'Inner', await addCollection(world, 'Outer')));
    world.platform.faults = empty('listCollections');
    const nights: unknown[] = [];
    for (let night = 0; night < 4; night++) {
      const { ifNothingChanged } = forecast(world);
      world.platform.clearRequestLog();
      const { snapshot } = await world.sync();
      const isForeseen = ifNothingChanged === snapshot.requests;
      nights.push([snapshot.state, collections(world), world.asked('getCollection'), isForeseen]);
      world.clock.advance(13 * HOUR);
    }
    const both = ['Inner', 'Outer'];
    expect(nights).toEqual([
      ['partial', both, 2, false],
      ['complete', both, 2, false],
      ['complete', both, 2, true],
      ['complete', both, 2, true],
    ]);
    // Once it was listed, that it is lacking is news again.
    world.platform.faults = [];
    await world.sync();
    world.platform.faults = empty('listCollections');
    expect((await world.sync()).snapshot.state).toBe('partial');
  });

  it('is complete where the collection is hidden from the token, and asks for it no more when that is known for half a day', async () => {
    await using world = await TestWorld.create();
    await addSpace(world, 'Guide', await addCollection(world, 'Hidden'));
    const faults = [...empty('listCollections'), { operation: 'getCollection', effect: { status: 404 } }] as FaultPlan;
    const asked: number[] = [];
    world.platform.faults = faults;
    for (let night = 0; night < 3; night++) {
      world.platform.clearRequestLog();
      const { snapshot } = await world.sync();
      expect([snapshot.state, collections(world)]).toEqual(['complete', []]);
      asked.push(world.asked('getCollection'));
      world.clock.advance(13 * HOUR);
    }
    expect(asked).toEqual([1, 0, 0]);
  });
});
