// One limiter for everything that goes out: p-queue keeps concurrency and order, and is held while the rate, the server's
// headers or a 429 say so. Times are monotonic milliseconds.
import PQueue from 'p-queue';
import { AppError, type Clock, type Random } from '../base/index.ts';
import type { Aborts } from './aborts.ts';
import type { Meter } from './meter.ts';
import { Pauses } from './pauses.ts';
import { readRateHeaders, type RateHeaders, type ResponseHeaders } from './rate-headers.ts';
import { ServerBudget } from './server-budget.ts';
import { StartLog } from './start-log.ts';
import type { CallOptions, ClientLimits, WaitInfo } from './types.ts';

const UNTOLD_PER_SECOND = 10;
const SHOWN_WAIT_MS = 1000;
export const TOO_MANY = 429;
// Starts that come due within this time go out together: to wake for each of a thousand in a second costs a tenth of what a walk computes.
const LEAST_HOLD_MS = 10;

/** The server asks for a longer wait than is allowed. */
export class WaitTooLong extends Error {
  readonly waitMs: number;

  constructor(waitMs: number) {
    super(`wait of ${waitMs} ms`);
    this.waitMs = waitMs;
  }
}

export interface LimiterOptions {
  clock: Clock;
  aborts: Aborts;
  random: Random;
  limits: Pick<ClientLimits, 'concurrency' | 'requestsPerSecond' | 'share' | 'maxWaitMs'>;
  meter: Meter;
  onWait: (info: WaitInfo) => void;
}

interface Hold {
  until: number;
  since: number;
  timer: Disposable;
}

export class Limiter {
  readonly #options: LimiterOptions;
  readonly #queue: PQueue;
  readonly #log = new StartLog();
  readonly #budget: ServerBudget;
  readonly #pauses: Pauses;
  #inFlight = 0;
  #hold: Hold | null = null;
  #answered = false;
  #closed = false;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#queue = new PQueue({ concurrency: options.limits.concurrency });
    this.#budget = new ServerBudget(options.limits.share);
    this.#pauses = new Pauses(options.random, options.limits.maxWaitMs);
  }

  /**
   * Runs the task when its turn has come; one task is one request, and it calls `sent` when that goes out. Rejects with the signal's reason as soon as it aborts
   * while waiting, and with WaitTooLong when the server has closed for longer than allowed.
   */
  run<T>(task: (sent: () => void) => Promise<T>, options: CallOptions = {}): Promise<T> {
    const { signal } = options;
    return new Promise<T>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      let waiting = true;
      const onAbort = this.#options.aborts.on(signal, () => {
        waiting = false;
        reject(signal?.reason);
      });
      const turn = async (): Promise<void> => {
        this.#options.aborts.off(signal, onAbort);
        if (!waiting) return;
        try {
          resolve(await this.#perform(task));
        } catch (error) {
          reject(error);
        }
      };
      void this.#queue.add(turn, { priority: options.priority ?? 0 });
    });
  }

  /** Takes in the rate headers of an answer of the platform; what they say, null when there are none. */
  observe(status: number, headers: ResponseHeaders): RateHeaders | null {
    if (status !== TOO_MANY) this.#pauses.answered();
    const { clock } = this.#options;
    const rate = readRateHeaders(headers, clock.now());
    if (!rate) return null;
    const now = clock.monotonic();
    this.#budget.observe(rate, now, Math.max(0, this.#inFlight - 1));
    this.#reschedule(now);
    return rate;
  }

  /** Stops everything for `ms`; null: the server did not say how long. Returns the whole milliseconds until the first start. */
  pause(ms: number | null): number {
    const now = this.#options.clock.monotonic();
    const wait = this.#pauses.refused(ms, now);
    this.#reschedule(now);
    return wait;
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#release(this.#options.clock.monotonic());
    this.#queue.start();
  }

  async #perform<T>(task: (sent: () => void) => Promise<T>): Promise<T> {
    const start = this.#enter();
    try {
      return await task(() => this.#log.amend(start, this.#options.clock.monotonic()));
    } finally {
      this.#leave();
    }
  }

  // Runs in the same step in which p-queue takes the task, so the queue is held before it takes another.
  #enter(): number {
    if (this.#closed) throw closedError();
    const now = this.#options.clock.monotonic();
    const wait = this.#refusedFor(now);
    if (wait !== null) throw new WaitTooLong(wait);
    const start = this.#log.push(now);
    this.#inFlight++;
    this.#reschedule(now);
    return start;
  }

  #leave(): void {
    this.#inFlight--;
    this.#answered = true;
    if (this.#queue.isPaused) this.#reschedule(this.#options.clock.monotonic());
  }

  #reschedule(now: number): void {
    if (this.#closed) return;
    // The first request goes out alone, so that its headers can steer the others.
    if (!this.#answered && this.#inFlight > 0) return this.#queue.pause();
    const next = this.#nextStart(now);
    if (next <= now || this.#refusedFor(now) !== null) {
      if (this.#hold) this.#release(now);
      if (this.#queue.isPaused) this.#queue.start();
      return;
    }
    this.#queue.pause();
    if (this.#hold?.until !== next) this.#holdUntil(next, now);
  }

  #nextStart(now: number): number {
    const { requestsPerSecond } = this.#options.limits;
    const own = requestsPerSecond === 'auto' ? Number.NEGATIVE_INFINITY : this.#log.nextStart(requestsPerSecond);
    return Math.max(own, this.#serverStart(now), this.#pauses.notBefore);
  }

  #serverStart(now: number): number {
    const allowed = this.#budget.allowance(now);
    const { requestsPerSecond, maxWaitMs } = this.#options.limits;
    if (!allowed)
      return requestsPerSecond === 'auto' ? this.#log.nextStart(UNTOLD_PER_SECOND) : Number.NEGATIVE_INFINITY;
    const reset = allowed.resetAt ?? Number.POSITIVE_INFINITY;
    if (allowed.perSecond <= 0) return reset;
    return Math.min(this.#log.nextStart(allowed.perSecond), reset, this.#log.last() + maxWaitMs);
  }

  // A wait that the server imposes and that is too long is no wait but an error for everyone.
  #refusedFor(now: number): number | null {
    const { maxWaitMs } = this.#options.limits;
    if (this.#pauses.notBefore - now > maxWaitMs) return this.#pauses.notBefore - now;
    if (this.#inFlight > 0) return null;
    const wait = this.#serverStart(now) - now;
    return wait > maxWaitMs ? wait : null;
  }

  #holdUntil(until: number, now: number): void {
    const since = this.#hold?.since ?? now;
    const shown = this.#hold !== null && this.#hold.until - since >= SHOWN_WAIT_MS;
    this.#hold?.timer[Symbol.dispose]();
    const ms = Math.max(LEAST_HOLD_MS, Math.ceil(until - now));
    const timer = this.#options.clock.after(ms, () => this.#wake());
    this.#hold = { until, since, timer };
    if (shown || until - now < SHOWN_WAIT_MS) return;
    this.#options.onWait({ reason: this.#pauses.notBefore >= until ? 'rate-limited' : 'paced', ms: until - now });
  }

  #wake(): void {
    const now = this.#options.clock.monotonic();
    this.#release(now);
    this.#reschedule(now);
  }

  #release(now: number): void {
    if (!this.#hold) return;
    this.#hold.timer[Symbol.dispose]();
    if (this.#queue.size > 0) this.#options.meter.waited(now - this.#hold.since);
    this.#hold = null;
  }
}

/** What every request gets that the client no longer finishes. */
export function closedError(): AppError {
  return new AppError('DM_INTERRUPTED', 'The client was closed before the request ended', {
    hint: 'Run the same command again; what was committed is kept.',
  });
}
