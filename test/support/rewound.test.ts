import { describe, expect, it } from 'vitest';
import { addSpace, edit, insert, pagesOf } from './content.ts';
import { mirroredAnew, type Mirrored } from './in-place.ts';
import { wordsOf } from './standing.ts';

describe('a world that begins anew', () => {
  const anew = mirroredAnew();

  async function held({ world, made }: Mirrored): Promise<unknown> {
    const { snapshot } = await world.sync();
    return [snapshot.id, wordsOf(world.mirror, snapshot.id), await pagesOf(world, made.guide)];
  }

  it('holds what it held, whatever was written into its platform and its mirror', async () => {
    const first = await anew();
    const before = await held(first);
    await addSpace(first.world, 'Added');
    await edit(first.world, first.made.guide, insert('Inserted', 'Text.'));
    first.world.platform.faults = [{ operation: 'listTeams', effect: { status: 500 } }];
    expect(await held(first)).not.toEqual(before);
    await first.world[Symbol.asyncDispose]();
    const second = await anew();
    await using _world = second.world;
    expect(second.world.asked('getSpace')).toBe(0);
    expect(await held(second)).toEqual(before);
    expect(second.world.platform.faults).toEqual([]);
    await expect(anew()).rejects.toThrow('the world before it was not disposed of');
  });
});
