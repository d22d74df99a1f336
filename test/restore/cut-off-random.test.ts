// Wherever a restore is cut off, and whether or not it is gone on with: it can be taken back, and what is said of it is true.
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { runs, seedOr } from '../fuzz/runs.ts';
import { anyCutOffRun, checkCutOff } from '../support/cut-off-runs.ts';

/** More runs, from another seed: CUT_OFF_RUNS and CUT_OFF_SEED. */
const RUNS = Number(process.env['CUT_OFF_RUNS'] ?? runs(1));
const SEED = Number(process.env['CUT_OFF_SEED'] ?? seedOr(4));
const VERBOSE = process.env['CUT_OFF_SEED'] !== undefined;

describe('restore, cut off at any write', () => {
  it('can be taken back, makes nothing twice, and is verified as it is', async () => {
    await fc.assert(
      fc.asyncProperty(anyCutOffRun, (one) => checkCutOff(one)),
      { numRuns: RUNS, seed: SEED, verbose: VERBOSE ? 1 : 0 },
    );
  }, 600_000);
});
