import { describe, expect, it } from 'vitest';
import { largestOf, smallestOf } from '../../src/base/index.ts';

const MANY = Array.from({ length: 200_000 }, (_, at) => at);

describe('base/extremes', () => {
  it('finds the largest and the smallest of any number of values: of 130,000 written steps the last was looked for on a stack that was too small', () => {
    expect([largestOf(MANY), smallestOf(MANY)]).toEqual([MANY.length - 1, 0]);
  });

  it('knows what stands for none', () => {
    expect([largestOf([]), largestOf([], -1), largestOf([-3], -1), smallestOf([])]).toEqual([
      -Infinity,
      -1,
      -1,
      Infinity,
    ]);
  });
});
