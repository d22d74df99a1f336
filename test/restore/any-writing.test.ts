// Whatever people wrote comes back: a drill of such an organization finds every field as it was, and so does a mend in place of what
// they wrote since, which can be taken back.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VerifyReport } from '../../src/restore/index.ts';
import { inPlace } from '../support/in-place.ts';
import { drill } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';
import { writings, written, writtenSince } from '../support/writings.ts';

/** More runs, from another seed: WRITING_RUNS and WRITING_SEED. */
const RUNS = Number(process.env['WRITING_RUNS'] ?? 4);
const SEED = Number(process.env['WRITING_SEED'] ?? 1);
const ALL = { missing: true, changed: true, added: true };
const PATIENCE_MS = 600_000;

function expectAllBack({ differences, passed }: VerifyReport): void {
  expect(differences.filter((one) => one.class !== 'bestEffort')).toEqual([]);
  expect(passed).toBe(true);
}

describe('whatever was written', () => {
  it(
    'restore/drill finds every field as it was',
    () =>
      fc.assert(
        fc.asyncProperty(writings, async (all) => {
          await using world = await TestWorld.create();
          await written(world, all);
          await world.sync();
          expectAllBack(await drill(world));
        }),
        { numRuns: RUNS, seed: SEED },
      ),
    PATIENCE_MS,
  );

  it(
    'restore/in-place brings back every field as it was, leaves nothing to do, and can be taken back',
    () =>
      fc.assert(
        fc.asyncProperty(writings, writings, async (before, since) => {
          await using world = await TestWorld.create();
          const made = await written(world, before);
          await world.sync();
          const place = inPlace(world);
          world.clock.advance(60_000);
          await writtenSince(world, made, since);
          world.clock.advance(60_000);
          const plan = await place.plan(ALL);
          if (plan.steps.every(({ part }) => part === 'none')) return;
          const { restore, failures } = await place.apply(plan);
          expect(failures).toEqual([]);
          expectAllBack(await place.verify(restore));
          const { steps } = await place.plan(ALL);
          expect(steps.filter(({ part }) => part !== 'none')).toEqual([]);
          const back = await place.apply(await place.undo(restore, plan));
          expect(back.failures).toEqual([]);
          expectAllBack(await place.verify(back.restore));
        }),
        { numRuns: RUNS, seed: SEED },
      ),
    PATIENCE_MS,
  );
});
