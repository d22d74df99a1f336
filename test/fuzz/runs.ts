// How much is tried, and from which seed; properties outside of this folder take the number from here too. Without an environment both are fixed; `npm run fuzz` sets them.
import { seededRandom, type Random } from '../../src/base/index.ts';

export const SEED = seedOr(1);
const FACTOR = Number(process.env['DOCMIRROR_TEST_RUNS'] ?? 1);

/** The seed of the environment, or another one where there is none. */
export function seedOr(other: number): number {
  return Number(process.env['DOCMIRROR_TEST_SEED'] ?? other);
}

/** How often something is tried that is tried so often in the suite. */
export function runs(inSuite: number): number {
  return Math.ceil(inSuite * FACTOR);
}

/** Milliseconds that a test may take which may take so many in the suite: as many times more as it tries more often. */
export function patience(inSuiteMs: number): number {
  return runs(inSuiteMs);
}

/** Chance that is the same for the same seed and words, whatever else is tried. */
export function chanceFor(words: string): Random {
  let seed = SEED;
  for (const character of words) seed = Math.imul(seed, 31) + (character.codePointAt(0) ?? 0);
  return seededRandom(seed);
}

/** One of them, by chance. */
export function oneOf<T>(random: Random, all: readonly T[]): T {
  const one = all[random.int(all.length)];
  if (one === undefined) throw new Error('there is nothing to choose from');
  return one;
}
