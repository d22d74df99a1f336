import { setMaxListeners } from 'node:events';
import type { Clock } from '../base/index.ts';

/**
 * One listener per signal, however many requests wait on it: thousands share the signal of a walk, and listeners of their
 * own would cost more than the requests.
 */
export class Aborts {
  readonly #bySignal = new WeakMap<AbortSignal, Waiting>();
  readonly #sleeping = new Waiting();
  readonly #closed = new AbortController();

  constructor() {
    // One for each signal that it meets: Node.js warns of a leak from eleven on.
    setMaxListeners(0, this.#closed.signal);
  }

  /** Calls `fn` once when the signal, which has not aborted yet, aborts; not after `off` with the returned ticket. */
  on(signal: AbortSignal | undefined, fn: () => void): number {
    return signal ? this.#waitingOn(signal).add(fn) : NO_TICKET;
  }

  off(signal: AbortSignal | undefined, ticket: number): void {
    if (signal) this.#bySignal.get(signal)?.remove(ticket);
  }

  /** Resolves after `ms`, or when everything is closed; rejects with the signal's reason as soon as it aborts. */
  sleep(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const end = (): void => {
        timer[Symbol.dispose]();
        this.off(signal, onAbort);
        this.#sleeping.remove(onClose);
        resolve();
      };
      const timer = clock.after(ms, end);
      const onClose = this.#sleeping.add(end);
      const onAbort = this.on(signal, () => {
        reject(signal?.reason);
        end();
      });
    });
  }

  /** Ends every sleep now; who sleeps looks afterwards whether it may go on. Takes its listeners off all signals: that of a daemon outlives many clients. */
  [Symbol.dispose](): void {
    this.#sleeping.fire();
    this.#closed.abort();
  }

  #waitingOn(signal: AbortSignal): Waiting {
    const known = this.#bySignal.get(signal);
    if (known) return known;
    const waiting = new Waiting();
    this.#bySignal.set(signal, waiting);
    signal.addEventListener('abort', () => waiting.fire(), { once: true, signal: this.#closed.signal });
    return waiting;
  }
}

const NO_TICKET = -1;

// Slots that are used again, since a Set that is filled and emptied all the time makes the garbage collector keep its past:
// that cost 12 µs per request, half as much as the request itself.
class Waiting {
  readonly #slots: ((() => void) | null)[] = [];
  readonly #free: number[] = [];

  add(fn: () => void): number {
    const ticket = this.#free.pop() ?? this.#slots.length;
    this.#slots[ticket] = fn;
    return ticket;
  }

  remove(ticket: number): void {
    if (ticket === NO_TICKET || !this.#slots[ticket]) return;
    this.#slots[ticket] = null;
    this.#free.push(ticket);
  }

  fire(): void {
    const all = this.#slots.splice(0);
    this.#free.length = 0;
    for (const fn of all) fn?.();
  }
}
