// What nobody waits for, one thing after another.
import { toAppError, type Logger } from '../../base/index.ts';

export interface BackgroundQueue {
  add(work: () => Promise<void>): void;
  /** Resolves when all that was added is done. */
  settled(): Promise<void>;
}

/** Nothing of it throws: what fails is logged. */
export function createBackgroundQueue(log: Logger): BackgroundQueue {
  let work: Promise<void> = Promise.resolve();
  return {
    add: (one) => {
      work = work.then(one).catch((error: unknown) => {
        log.warn({ err: toAppError(error) }, 'could not look whether somebody must be told');
      });
    },
    settled: async () => {
      for (let last: Promise<void> | null = null; last !== work;) await (last = work);
    },
  };
}
