// Whatever people wrote comes back: the drill of such an organization finds every field as it was.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drill } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';
import { writings, written } from '../support/writings.ts';

/** More runs, from another seed: WRITING_RUNS and WRITING_SEED. */
const RUNS = Number(process.env['WRITING_RUNS'] ?? 6);
const SEED = Number(process.env['WRITING_SEED'] ?? 1);

describe('restore/drill, whatever was written', () => {
  it('finds every field as it was', async () => {
    await fc.assert(
      fc.asyncProperty(writings, async (all) => {
        await using world = await TestWorld.create();
        await written(world, all);
        await world.sync();
        const { differences, passed } = await drill(world);
        expect(differences.filter((one) => one.class !== 'bestEffort')).toEqual([]);
        expect(passed).toBe(true);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  }, 600_000);
});
