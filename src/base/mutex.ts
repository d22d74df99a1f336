import { aborted } from './clock.ts';

/** Work that is done one at a time, in the order in which it came. */
export interface Mutex {
  /** Begins the work once everything before it has ended. Throws the reason of a signal that aborts before that; work under way it leaves alone. */
  hold<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** One piece of work at a time, in the order in which it was asked for. */
export function createMutex(): Mutex {
  let last: Promise<void> = Promise.resolve();
  return {
    hold: async (signal, work) => {
      const before = last;
      let leave = (): void => undefined;
      const left = new Promise<void>((resolve) => (leave = resolve));
      // Whoever goes early lets nobody past those who were there before.
      last = before.then(() => left);
      const waited = new AbortController();
      try {
        await Promise.race([before, aborted(signal, waited.signal)]).finally(() => waited.abort());
        signal.throwIfAborted();
        return await work();
      } finally {
        leave();
      }
    },
  };
}
