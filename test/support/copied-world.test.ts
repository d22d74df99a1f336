import { describe, expect, it } from 'vitest';
import { addSpace, edit, insert, pagesOf } from './content.ts';
import { walkedWorld, type FurnishedWorld } from './furnished.ts';
import { wordsOf } from './standing.ts';

describe('a copied world', () => {
  async function held(world: FurnishedWorld): Promise<unknown> {
    const { snapshot } = await world.sync();
    return [snapshot.id, wordsOf(world.mirror, snapshot.id), await pagesOf(world, world.made.guide)];
  }

  it('holds what the first one held, whatever was written into the platform and the mirror of another', async () => {
    let before: unknown;
    {
      await using first = await walkedWorld();
      before = await held(first);
      await addSpace(first, 'Added');
      await edit(first, first.made.guide, insert('Inserted', 'Text.'));
      first.platform.faults = [{ operation: 'listTeams', effect: { status: 500 } }];
      expect(await held(first)).not.toEqual(before);
    }
    await using second = await walkedWorld();
    expect(second.asked('getSpace')).toBe(0);
    expect(await held(second)).toEqual(before);
  });

  it('holds the same where another one has its address', async () => {
    await using first = await walkedWorld();
    await using second = await walkedWorld();
    expect(second.platform.url).not.toBe(first.platform.url);
    expect(await held(second)).toEqual(await held(first));
  });
});
