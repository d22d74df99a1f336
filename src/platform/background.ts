import { isAbort, type Logger } from '../base/index.ts';

/** Work that goes on after its request was answered. Disposing aborts it and waits for its end. */
export interface BackgroundWork extends AsyncDisposable {
  /** Begins once the present turn of the event loop is over, so after the transaction that asked for it. */
  add(name: string, work: (signal: AbortSignal) => Promise<void>): void;
  /** Resolves when nothing is left to do, what was added meanwhile included. */
  settle(): Promise<void>;
}

/** A failure of the work itself is logged: nobody waits for it who could be told. */
export function createBackgroundWork(log: Logger): BackgroundWork {
  const running = new Set<Promise<void>>();
  const stop = new AbortController();
  const run = async (name: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    await Promise.resolve();
    try {
      if (!stop.signal.aborted) await work(stop.signal);
    } catch (error) {
      if (!(stop.signal.aborted && isAbort(error))) log.error({ err: error, work: name }, 'background work failed');
    }
  };
  const settle = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running);
  };
  return {
    add: (name, work) => {
      const one = run(name, work).finally(() => running.delete(one));
      running.add(one);
    },
    settle,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await settle();
    },
  };
}
