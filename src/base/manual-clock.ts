// Time that moves only when told: for whatever waits, without waiting.
import { sleepWith, type Clock } from './clock.ts';

export interface ManualClock extends Clock {
  /**
   * Moves time forward by `ms`, firing every timer and sleeper that falls due, in order, each at its own instant.
   * What a fired one starts (another sleep) is fired too when it falls due within `ms`.
   */
  advance(ms: number): Promise<void>;
  /** How many sleepers and timers wait; for tests that must know that a wait has begun. */
  pending(): number;
}

interface Timer {
  due: number;
  order: number;
  period: number | null;
  fn: () => void;
}

/** A clock that stands at `startMs` until advanced. */
export function manualClock(startMs = 0): ManualClock {
  let now = startMs;
  let order = 0;
  const timers = new Set<Timer>();
  const add = (ms: number, fn: () => void, period: number | null): Disposable => {
    const timer: Timer = { due: now + Math.max(ms, 0), order: order++, period, fn };
    timers.add(timer);
    return { [Symbol.dispose]: () => void timers.delete(timer) };
  };
  const after = (ms: number, fn: () => void): Disposable => add(ms, fn, null);
  const advance = async (ms: number): Promise<void> => {
    const target = now + ms;
    await settle();
    for (let timer = earliest(timers, target); timer; timer = earliest(timers, target)) {
      now = Math.max(now, timer.due);
      if (timer.period === null) timers.delete(timer);
      else timer.due += timer.period;
      timer.fn();
      await settle();
    }
    now = target;
  };
  return {
    now: () => now,
    monotonic: () => now - startMs,
    sleep: (ms, signal) => sleepWith(after, ms, signal),
    after,
    every: (ms, fn) => add(ms, fn, Math.max(ms, 1)),
    advance,
    pending: () => timers.size,
  };
}

function earliest(timers: Set<Timer>, until: number): Timer | null {
  let first: Timer | null = null;
  for (const timer of timers) {
    if (timer.due > until) continue;
    if (!first || timer.due < first.due || (timer.due === first.due && timer.order < first.order)) first = timer;
  }
  return first;
}

// Lets promise callbacks run, so that whatever the last timer woke can ask for its next sleep.
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
