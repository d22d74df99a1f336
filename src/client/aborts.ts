import type { Clock } from '../base/index.ts';

/**
 * One listener per signal, however many requests wait on it: thousands share the signal of a walk, and listeners of their
 * own would cost more than the requests.
 */
export class Aborts {
  readonly #sleeping = new Set<() => void>();
  readonly #waiting = new WeakMap<AbortSignal, Set<() => void>>();

  /** Calls `fn` once when the signal aborts, unless `off` came first. The signal has not aborted yet. */
  on(signal: AbortSignal | undefined, fn: () => void): void {
    if (signal) this.#setOf(signal).add(fn);
  }

  off(signal: AbortSignal | undefined, fn: () => void): void {
    if (signal) this.#waiting.get(signal)?.delete(fn);
  }

  /** Resolves after `ms`, or when everything is closed; rejects with the signal's reason as soon as it aborts. */
  sleep(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const end = (): void => {
        timer[Symbol.dispose]();
        this.off(signal, stop);
        this.#sleeping.delete(end);
        resolve();
      };
      const stop = (): void => {
        reject(signal?.reason);
        end();
      };
      const timer = clock.after(ms, end);
      this.#sleeping.add(end);
      this.on(signal, stop);
    });
  }

  /** Ends every sleep now; who sleeps looks afterwards whether it may go on. */
  [Symbol.dispose](): void {
    fire(this.#sleeping);
  }

  #setOf(signal: AbortSignal): Set<() => void> {
    const known = this.#waiting.get(signal);
    if (known) return known;
    const waiting = new Set<() => void>();
    this.#waiting.set(signal, waiting);
    signal.addEventListener('abort', () => fire(waiting), { once: true });
    return waiting;
  }
}

function fire(waiting: Set<() => void>): void {
  const all = [...waiting];
  waiting.clear();
  for (const fn of all) fn();
}
