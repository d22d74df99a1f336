// As Math.max and Math.min, of any number of values: what is spread into a call goes on the stack, which holds some 120,000.

/** The largest; `least` where all are smaller, or there is none. */
export function largestOf(values: Iterable<number>, least = -Infinity): number {
  let largest = least;
  for (const value of values) largest = Math.max(largest, value);
  return largest;
}

/** The smallest; Infinity where there is none. */
export function smallestOf(values: Iterable<number>): number {
  let smallest = Infinity;
  for (const value of values) smallest = Math.min(smallest, value);
  return smallest;
}
