// Whatever somebody did to an organization: a mend in place brings back what it says, touches nothing else, and can be taken back.
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { runs, seedOr } from '../fuzz/runs.ts';
import { anyRun, check } from '../support/in-place-runs.ts';

/** More runs, from another seed: IN_PLACE_RUNS and IN_PLACE_SEED. */
const RUNS = Number(process.env['IN_PLACE_RUNS'] ?? runs(2));
const SEED = Number(process.env['IN_PLACE_SEED'] ?? seedOr(4));
const VERBOSE = process.env['IN_PLACE_SEED'] !== undefined;

describe('restore/in-place, whatever was done', () => {
  it('brings back what it says, touches nothing else, and can be taken back', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun, (one) => check(one)),
      { numRuns: RUNS, seed: SEED, verbose: VERBOSE ? 1 : 0 },
    );
  }, 600_000);
});
