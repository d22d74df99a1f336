// Whatever an organization consists of beside the texts comes back: a drill finds every field as it was, and so does a mend in place of
// what people did since, which can be taken back.
import { describe, it } from 'vitest';
import { belongings, settled, settledSince } from '../support/belongings.ts';
import { expectDrilled, expectMended } from '../support/comes-back.ts';

/** More runs, from another seed: ORGANIZATION_RUNS and ORGANIZATION_SEED. */
const RUNS = {
  numRuns: Number(process.env['ORGANIZATION_RUNS'] ?? 3),
  seed: Number(process.env['ORGANIZATION_SEED'] ?? 1),
};
const HISTORY = { acts: belongings, made: settled, since: settledSince };
const PATIENCE_MS = 600_000;

describe('whatever an organization consists of', () => {
  it('restore/drill finds every field as it was', () => expectDrilled(HISTORY, RUNS), PATIENCE_MS);

  it(
    'restore/in-place brings back every field as it was, leaves nothing to do, and can be taken back',
    () => expectMended(HISTORY, RUNS),
    PATIENCE_MS,
  );
});
