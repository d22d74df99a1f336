// A short run of what `npm run chaos` does for as long as it is asked to.
import { describe, expect, it } from 'vitest';
import { runChaos } from '../chaos/chaos.ts';

const SEED = Number(process.env['DOCMIRROR_TEST_SEED'] ?? 7);

describe('chaos', () => {
  it(`leaves a mirror that is true whenever it says that it is complete (seed ${SEED})`, async () => {
    expect(await runChaos({ seed: SEED, goOn: (round) => round < 1, tell: () => undefined })).toBe(1);
  }, 120_000);
});
