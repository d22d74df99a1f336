// Collections that are asked for their spaces although members show spaces: those of which no member has shown one.
import { describe, expect, it } from 'vitest';
import { addCollection, addSpace } from '../support/content.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const NO_MEMBERS = [{ operation: 'listMembers', effect: 'empty-list' } as const];

/** Members are nobody's way to a space here: their listing has none, and has had none for long. */
async function hideMembers(world: TestWorld): Promise<void> {
  world.platform.faults = NO_MEMBERS;
  await world.sync();
  world.clock.advance(13 * 3_600_000);
}

const titles = (world: TestWorld): unknown[] =>
  rowsOf(world.mirror, 'select title from spaces order by title').map(({ title }) => title);

describe('walker/visits/collections, empty ones', () => {
  it('finds the first space of an empty collection on the night after, where members show none: it was found by the rota alone', async () => {
    await using world = await TestWorld.create();
    const collection = await addCollection(world, 'Empty');
    await hideMembers(world);
    await world.sync();
    await addSpace(world, 'First', collection);
    expect((await world.sync()).snapshot.state).toBe('complete');
    expect(titles(world)).toEqual(['First']);
  });

  it('finds a space that comes out of the bin into a collection that was emptied meanwhile', async () => {
    await using world = await TestWorld.create();
    const collection = await addCollection(world, 'Emptied');
    const space = await addSpace(world, 'Back', collection);
    await hideMembers(world);
    await world.api.deleteSpace({ path: { spaceId: space } });
    await world.sync();
    expect(titles(world)).toEqual([]);
    await world.api.restoreSpace({ path: { spaceId: space } });
    expect((await world.sync()).snapshot.state).toBe('complete');
    expect(titles(world)).toEqual(['Back']);
  });

  it('asks each empty collection once a night, and those of which members show all spaces on their turn alone', async () => {
    await using world = await TestWorld.create();
    for (const title of ['One', 'Two']) await addCollection(world, title);
    await addSpace(world, 'Shown', await addCollection(world, 'Full'));
    await world.sync();
    await world.sync();
    world.platform.clearRequestLog();
    const { snapshot } = await world.sync();
    expect([snapshot.state, world.asked('listCollectionSpaces')]).toEqual(['complete', 2]);
  });
});
