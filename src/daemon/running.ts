// What is kept of each job while a daemon runs, and how it waits for the next of them.
import type PQueue from 'p-queue';
import type { Clock, Logger, Mutex, Random } from '../base/index.ts';
import type { JobState } from '../status/index.ts';
import type { Job } from './job.ts';
import { timetable, type Timetable } from './timetable.ts';

/** What is done and when; it can be replaced while the daemon runs. */
export interface JobSchedule {
  /** In the order in which they run when several are due at once. */
  readonly jobs: readonly Job[];
  /** IANA name; null is the zone of this machine. */
  readonly timezone: string | null;
  /** A job begins up to so much later, by chance. */
  readonly jitterMs: number;
}

export interface DaemonOptions extends JobSchedule {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Shared by all daemons of the process, for their heavy jobs; alone when absent. */
  readonly heavy?: Mutex;
  /** Is told after a job began, ended, or was found missed; `state` has it already. */
  readonly onChange?: (job: string) => void;
}

export type Kept = { -readonly [K in keyof Required<JobState>]: Required<JobState>[K] } & {
  job: Job;
  /** How often it was tried again since it was due. */
  retries: number;
  /** Aborts when the schedule is replaced. */
  replaced: AbortController;
};

export interface Scheduled {
  readonly options: DaemonOptions;
  readonly schedule: () => JobSchedule;
}

export interface Running extends Scheduled {
  readonly queue: PQueue;
  /** Stops the job under way. */
  readonly signal: AbortSignal;
  /** Aborts when no further job is to begin: with the signal, or before it. */
  readonly enough: AbortSignal;
}

/** When a job is due; null for one that is not scheduled. */
export function tableOf({ schedule }: Scheduled, { job }: Kept): Timetable | null {
  return job.pattern === null ? null : timetable(job.pattern, schedule().timezone);
}

// Timers stand still while a machine sleeps; looking at the clock this often finds a due time soon after.
export const LOOK_MS = 30_000;

interface Cut {
  /** Aborts when the schedule is replaced. */
  readonly replaced: AbortSignal;
  /** Asked now and then: true when there is nothing to wait for any more. */
  readonly isPast: () => boolean;
}

/** Waits until an instant, or for less: until the schedule is replaced or there is nothing to wait for. Throws when no further job is to begin. */
export async function waitUntil(
  { options, enough }: Running,
  instant: number,
  { replaced, isPast }: Cut,
): Promise<void> {
  const { clock } = options;
  const either = AbortSignal.any([enough, replaced]);
  try {
    for (let left = instant - clock.now(); left > 0 && !isPast(); left = instant - clock.now()) {
      await clock.sleep(Math.min(left, LOOK_MS), either);
    }
  } catch (error) {
    if (enough.aborted || !replaced.aborted) throw error;
  }
}
