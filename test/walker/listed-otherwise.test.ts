// A platform that lists collections at the top alone: those within others are there when they are asked for.
import { describe, expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { addCollection, addSpace } from '../support/content.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const HALF_A_DAY_MS = 13 * 3_600_000;

const titles = (world: TestWorld): unknown[] =>
  rowsOf(world.mirror, 'select title from collections order by title').map(({ title }) => title);

async function listingTopsAlone(world: TestWorld): Promise<Rewriting> {
  const proxy = await rewriting(world);
  proxy.rewrite = ({ path }, { status, body }) => {
    if (!/\/collections(\?|$)/.test(path) || !isRecord(body) || !Array.isArray(body['items'])) return undefined;
    const items = body['items'].filter((one: unknown) => isRecord(one) && typeof one['parent'] !== 'string');
    return { status, body: { ...body, items, count: items.length } };
  };
  return proxy;
}

describe('walker/visits/listed-otherwise', () => {
  it('is complete when what is not listed has been there for half a day: every night was partial', async () => {
    await using world = await TestWorld.create();
    const outer = await addCollection(world, 'Outer');
    await addSpace(world, 'Guide', await addCollection(world, 'Inner', outer));
    await using proxy = await listingTopsAlone(world);
    const { client } = proxy;
    const states: string[] = [];
    for (let night = 0; night < 4; night++) {
      const { snapshot } = await world.sync({ client });
      states.push(snapshot.state);
      expect(titles(world)).toEqual(['Inner', 'Outer']);
      world.clock.advance(HALF_A_DAY_MS);
    }
    expect(states).toEqual(['partial', 'complete', 'complete', 'complete']);
  });

  it('doubts anew a listing that has shown it meanwhile', async () => {
    await using world = await TestWorld.create();
    const outer = await addCollection(world, 'Outer');
    await addSpace(world, 'Guide', await addCollection(world, 'Inner', outer));
    await using proxy = await listingTopsAlone(world);
    const { client } = proxy;
    for (let night = 0; night < 3; night++) {
      await world.sync({ client });
      world.clock.advance(HALF_A_DAY_MS);
    }
    expect((await world.sync()).snapshot.state).toBe('complete');
    expect((await world.sync({ client })).snapshot.state).toBe('partial');
  });

  it('ends with evidence what is deleted though no listing ever showed it', async () => {
    await using world = await TestWorld.create();
    const outer = await addCollection(world, 'Outer');
    const inner = await addCollection(world, 'Inner', outer);
    const space = await addSpace(world, 'Guide', inner);
    await using proxy = await listingTopsAlone(world);
    const { client } = proxy;
    for (let night = 0; night < 3; night++) {
      await world.sync({ client });
      world.clock.advance(HALF_A_DAY_MS);
    }
    await world.api.moveSpace({ path: { spaceId: space }, body: { parent: outer } });
    await world.api.deleteCollection({ path: { collectionId: inner } });
    expect((await world.sync({ client })).snapshot.state).toBe('complete');
    expect(titles(world)).toEqual(['Outer']);
  });
});
