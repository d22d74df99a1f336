import { shiftedClock, systemClock, type Clock } from '../../src/base/index.ts';

/** For what looks again and again for a while: sleeping moves its time on at once. */
export function sleeplessClock(): Clock {
  const moved = shiftedClock(systemClock());
  return { ...moved, sleep: (ms) => Promise.resolve(moved.advance(ms)) };
}
