import type { Logger } from './log.ts';

/** Tells the log of single failures: of the first ones each by itself, of the rest how many there are. A log that is too long is read by nobody. */
export interface Telling {
  failed(fields: object): void;
  /** At the end of the work, whatever it ended by. */
  end(fields: object): void;
}

interface Words {
  readonly one: string;
  /** What is said once of all the others. */
  readonly more: string;
}

const SINGLY = 20;

export function createTelling(log: Logger, words: Words): Telling {
  let failures = 0;
  return {
    failed: (fields) => {
      failures++;
      // Whoever wants each of them in the log has them at `debug`.
      log[failures <= SINGLY ? 'warn' : 'debug'](fields, words.one);
    },
    end: (fields) => {
      const more = failures - SINGLY;
      if (more > 0) log.warn({ ...fields, more }, words.more);
    },
  };
}
