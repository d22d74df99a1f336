import type { ErrorCode } from '../base/index.ts';
import type { JobState } from '../status/index.ts';

/** A job that failed and waits for another try. */
export interface Retrial {
  readonly failure: NonNullable<JobState['failure']>;
  /** How often it was tried again by then. */
  readonly retries: number;
}

/** Something that is done at its times. */
export interface Job {
  readonly name: string;
  /** Cron expression; null is never. */
  readonly pattern: string | null;
  /** When it was last done, milliseconds since the epoch; null when never. Decides whether a run was missed. */
  lastDone(): number | null;
  /** When the run began that was cut off and is gone on with, milliseconds since the epoch; null when there is none. One that began at its time was not missed. */
  readonly cutOffSince?: () => number | null;
  /** When it was last done well by whomever, such as a command beside the daemon: what failed before that is over. Null when unknown. */
  readonly lastWell?: () => number | null;
  /** Errors after which it is tried again before its next time, and how many milliseconds later. */
  readonly retry?: { readonly afterMs: number; readonly errors: readonly ErrorCode[] } | null;
  /** Keeps what waits for another try beyond the end of the daemon; null when nothing does. */
  readonly retrial?: { recall(): Retrial | null; note(retrial: Retrial | null): Promise<void> };
  /** Takes much memory or disk of its own: of all daemons of a process one does such a job at a time. */
  readonly isHeavy?: boolean;
  /** True when the daemon before this one ended in the middle of it, and all of it is to be done again: what is due beside it goes first. */
  readonly wasCutOff?: () => boolean;
  /** Stops soon after the signal aborts, in a state from which the next run goes on. What it throws is logged and shown. */
  run(signal: AbortSignal): Promise<void>;
}
