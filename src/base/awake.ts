import type { Clock } from './clock.ts';

// So much of a wait is counted at a time.
const STEP_MS = 1000;
// A step that ends so much too late was one in which the process stood still: suspended, stopped, or its machine asleep.
const STOOD_STILL_MS = 5000;

/**
 * Calls `fn` once after the process was awake for `ms`, unless disposed before. Timers are the first to run when it wakes, before the
 * answers that came meanwhile are read: a limit that counted that time would give up what is there already.
 */
export function afterAwake(clock: Clock, ms: number, fn: () => void): Disposable {
  let timer: Disposable;
  const arm = (left: number): void => {
    const step = Math.min(left, STEP_MS);
    const due = clock.monotonic() + step;
    timer = clock.after(step, () => {
      const stoodStill = clock.monotonic() - due > STOOD_STILL_MS;
      if (left > step || stoodStill) arm(stoodStill ? Math.max(left, STEP_MS) : left - step);
      else fn();
    });
  };
  arm(ms);
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}
