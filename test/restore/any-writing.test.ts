// Whatever people wrote comes back: a drill of such an organization finds every field as it was, and so does a mend in place of what
// they wrote since, which can be taken back.
import { describe, it } from 'vitest';
import { runs, SEED } from '../fuzz/runs.ts';
import { expectDrilled, expectMended } from '../support/comes-back.ts';
import { withoutImport } from '../support/restore.ts';
import { writings, written, writtenSince } from '../support/writings.ts';

/** More runs, from another seed: WRITING_RUNS and WRITING_SEED. */
const RUNS = {
  numRuns: Number(process.env['WRITING_RUNS'] ?? runs(2)),
  seed: Number(process.env['WRITING_SEED'] ?? SEED),
};
const HISTORY = { acts: writings, made: written, since: writtenSince };
const PATIENCE_MS = 600_000;

describe('whatever was written', () => {
  it('restore/drill finds every field as it was', () => expectDrilled(HISTORY, RUNS), PATIENCE_MS);

  it(
    'restore/drill finds every field as it was on a platform without import',
    () => expectDrilled(HISTORY, RUNS, withoutImport),
    PATIENCE_MS,
  );

  it(
    'restore/in-place brings back every field as it was, leaves nothing to do, and can be taken back',
    () => expectMended(HISTORY, RUNS),
    PATIENCE_MS,
  );
});
