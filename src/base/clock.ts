// The one home of time: everything else is handed a Clock.

/** Time as a dependency. All durations and instants are milliseconds. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds from an arbitrary start; never goes back. For measuring durations. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `fn` once after `ms`, unless disposed before. Keeps the process alive. */
  after(ms: number, fn: () => void): Disposable;
  /** Calls `fn` every `ms` until disposed. Does not keep the process alive. */
  every(ms: number, fn: () => void): Disposable;
}

/** An instant as ISO 8601 in UTC with milliseconds: `2025-01-31T08:00:00.000Z`. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Orders times as instants, whatever their zones; what is no time by itself, before all that are. */
export function compareTimes(one: string, other: string): number {
  const [first, second] = [Date.parse(one), Date.parse(other)];
  if (Number.isNaN(first) || Number.isNaN(second))
    return Number(Number.isNaN(second)) - Number(Number.isNaN(first)) || (one < other ? -1 : one > other ? 1 : 0);
  return first - second;
}

const ZONED = /T.*(?:Z|[+-]\d{2}:?\d{2})$/i;

/** A time of any zone in UTC, as isoTime writes it; one that names no zone, and what is no time, as it is. */
export function inUtc(time: string): string {
  const ms = ZONED.test(time) ? Date.parse(time) : Number.NaN;
  return Number.isNaN(ms) ? time : isoTime(ms);
}

/** The real time of this machine. */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: sleepReal,
    after: afterReal,
    every: everyReal,
  };
}

/** Lets nothing of this thread go on for `ms`, signals included: for what is read in one turn. */
export function holdThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

export interface ShiftedClock extends Clock {
  /** Moves `now()` and `monotonic()` forward; sleepers and timers of the base are not touched. */
  advance(ms: number): void;
}

/** A clock whose `now()` can be moved ahead of its base, so that expiry can be tried without waiting for it. */
export function shiftedClock(base: Clock): ShiftedClock {
  let shift = 0;
  return {
    now: () => base.now() + shift,
    monotonic: () => base.monotonic() + shift,
    sleep: (ms, signal) => base.sleep(ms, signal),
    after: (ms, fn) => base.after(ms, fn),
    every: (ms, fn) => base.every(ms, fn),
    advance: (ms) => {
      shift += ms;
    },
  };
}

/** `sleep` in terms of `after`; shared by the clocks. */
export function sleepWith(
  after: (ms: number, fn: () => void) => Disposable,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      timer[Symbol.dispose]();
      reject(signal?.reason);
    };
    const timer = after(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Resolves once the signal aborts; `enough` ends the listening of who waits no more, on a signal that outlives it. */
export function aborted(signal: AbortSignal, enough?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true, ...(enough ? { signal: enough } : {}) });
  });
}

// Node fires a longer timeout at once, with only a warning.
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

function sleepReal(ms: number, signal?: AbortSignal): Promise<void> {
  return sleepWith(afterReal, ms, signal);
}

function afterReal(ms: number, fn: () => void): Disposable {
  let timer: NodeJS.Timeout;
  const arm = (left: number): void => {
    const step = Math.min(Math.max(left, 0), MAX_TIMEOUT_MS);
    timer = setTimeout(() => (left > step ? arm(left - step) : fn()), step);
  };
  arm(ms);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

function everyReal(ms: number, fn: () => void): Disposable {
  const timer = setInterval(fn, Math.min(ms, MAX_TIMEOUT_MS));
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Resolves after the events that are already waiting were handled: what they bring can then be worked off as one. */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The time zone of this machine; UTC where TZ is empty or names one that does not exist. */
export function zoneHere(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions() as { timeZone?: string };
  // The hours are those of UTC then; the name is one that nothing takes.
  return timeZone === undefined || timeZone === 'Etc/Unknown' ? 'UTC' : timeZone;
}
