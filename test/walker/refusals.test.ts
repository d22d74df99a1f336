import { describe, expect, it } from 'vitest';
import { lastComplete, listSnapshots } from '../../src/mirror/index.ts';
import { addSpace } from '../support/content.ts';
import { TestWorld } from '../support/world.ts';

describe('walker/walk', () => {
  it('does not walk another platform into a mirror, and names both', async () => {
    await using world = await TestWorld.create();
    await addSpace(world, 'One');
    await world.sync();
    const origin = 'http://elsewhere.test';
    await expect(world.sync({ origin })).rejects.toMatchObject({
      code: 'DM_OTHER_PLATFORM',
      exitCode: 4,
      message: expect.stringContaining('http://elsewhere.test') as string,
    });
    expect(listSnapshots(world.mirror)).toHaveLength(1);
    expect((await world.sync({ origin, moved: true })).snapshot.state).toBe('complete');
  });

  it('stores nothing for an id that is not there', async () => {
    await using world = await TestWorld.create();
    const scope = { organizations: null, onlySpaces: ['nope'], extraSpaces: [] };
    await expect(world.sync({ scope })).rejects.toMatchObject({ code: 'DM_NOT_FOUND' });
    expect(listSnapshots(world.mirror)).toEqual([]);
  });

  it('does not count a walk of one space as a complete one of everything', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'One');
    await world.sync();
    const scope = { organizations: null, onlySpaces: [space], extraSpaces: [] };
    const { snapshot } = await world.sync({ scope });
    expect(snapshot).toMatchObject({ id: 2, state: 'complete', scope: expect.stringContaining(space) as string });
    expect(lastComplete(world.mirror)?.id).toBe(1);
  });
});
