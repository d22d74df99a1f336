import type { Logger } from '../base/index.ts';

/** Tells the log of single failures: of the first ones each by itself, of the rest how many there are. A log that is too long is read by nobody. */
export interface Telling {
  failed(fields: object): void;
  /** At the end of the walk, whatever it ended by. */
  end(snapshot: number): void;
}

const SINGLY = 20;

export function createTelling(log: Logger): Telling {
  let failures = 0;
  return {
    failed: (fields) => {
      failures++;
      // Whoever wants each of them in the log has them at `debug`.
      log[failures <= SINGLY ? 'warn' : 'debug'](fields, 'could not read');
    },
    end: (snapshot) => {
      const more = failures - SINGLY;
      if (more > 0) log.warn({ snapshot, more }, 'could not read more than these: the snapshot lists them all');
    },
  };
}
