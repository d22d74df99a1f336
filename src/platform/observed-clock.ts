import type { Clock } from '../base/index.ts';

/** A clock that knows how often it was asked: whoever did not ask cannot have answered something that time changes. */
export interface ObservedClock extends Clock {
  readonly reads: number;
}

export function observedClock(base: Clock): ObservedClock {
  let reads = 0;
  return {
    now: () => {
      reads++;
      return base.now();
    },
    monotonic: () => base.monotonic(),
    sleep: (ms, signal) => base.sleep(ms, signal),
    after: (ms, fn) => base.after(ms, fn),
    every: (ms, fn) => base.every(ms, fn),
    get reads() {
      return reads;
    },
  };
}
