import type { Logger } from './log.ts';

/** Tells the log of single failures: of the first ones each by itself, of the rest how many there are. A log that is too long is read by nobody. */
export interface Telling {
  failed(fields: object): void;
  /** So many of those that were told are no failures any more, or are tried again. */
  takenBack(failures: number): void;
  /** At the end of the work, whatever it ended by. */
  end(fields: object): void;
}

interface Words {
  readonly one: string;
  /** What is said once of all the others. */
  readonly more: string;
}

const SINGLY = 20;

/** @param words What the log is told of one failure, and of those that it is not told one by one. */
export function createTelling(log: Logger, words: Words): Telling {
  let failures = 0;
  let told = 0;
  return {
    failed: (fields) => {
      failures++;
      // Whoever wants each of them in the log has them at `debug`.
      log[told < SINGLY ? 'warn' : 'debug'](fields, words.one);
      told++;
    },
    takenBack: (count) => {
      failures = Math.max(0, failures - count);
    },
    end: (fields) => {
      const more = failures - SINGLY;
      if (more > 0) log.warn({ ...fields, more }, words.more);
    },
  };
}
