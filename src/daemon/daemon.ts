import PQueue from 'p-queue';
import { isAbort, isoTime, toAppError, type AppError, type Clock, type Logger, type Random } from '../base/index.ts';
import type { JobState } from '../status/index.ts';
import type { Job } from './job.ts';
import { isMissed, timetable, type Timetable } from './timetable.ts';

export interface DaemonOptions {
  /** In the order in which they run when several are due at once. */
  readonly jobs: readonly Job[];
  /** IANA name; null is the zone of this machine. */
  readonly timezone: string | null;
  /** A job begins up to so much later, by chance. */
  readonly jitterMs: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** Runs jobs at their times, never two at once, each caught up when its time passed while nothing ran. */
export interface Daemon {
  state(): JobState[];
  /** Resolves when the signal has aborted and the job under way, if any, has stopped. */
  run(signal: AbortSignal): Promise<void>;
}

// Timers stand still while a machine sleeps; looking at the clock this often finds a due time soon after.
const LOOK_MS = 30_000;
// Somebody else holds the data directory: asked again until the next due time.
const LOCKED_RETRY_MS = 60_000;

interface Kept {
  readonly job: Job;
  running: boolean;
  next: number | null;
  failure: JobState['failure'];
}

export function createDaemon(options: DaemonOptions): Daemon {
  const kept = options.jobs.map((job): Kept => ({ job, running: false, next: null, failure: null }));
  const queue = new PQueue({ concurrency: 1 });
  return {
    state: () => kept.map(({ job, running, next, failure }) => ({ name: job.name, running, next, failure })),
    run: async (signal) => {
      await Promise.all(kept.map((one) => keep({ ...options, queue, signal }, one)));
    },
  };
}

interface Running extends DaemonOptions {
  readonly queue: PQueue;
  readonly signal: AbortSignal;
}

async function keep(running: Running, one: Kept): Promise<void> {
  const { pattern } = one.job;
  if (pattern === null) return;
  const table = timetable(pattern, running.timezone);
  try {
    await followTimetable(running, one, table);
  } catch (error) {
    if (!isAbort(error) && !running.signal.aborted) throw error;
  }
}

async function followTimetable(running: Running, one: Kept, table: Timetable): Promise<void> {
  const { clock, log } = running;
  if (isMissed(table, one.job.lastDone(), clock.now())) {
    log.info({ job: one.job.name }, 'a run was missed, catching up');
    await runUntilNext(running, one, table);
  }
  for (;;) {
    const due = table.next(clock.now());
    one.next = due;
    if (due === null) {
      log.warn({ job: one.job.name, pattern: one.job.pattern }, 'the schedule has no further time');
      return;
    }
    log.info({ job: one.job.name, next: isoTime(due) }, 'job scheduled');
    await waitUntil(running, due + running.random.next() * running.jitterMs);
    await runUntilNext(running, one, table);
  }
}

async function waitUntil({ clock, signal }: Running, instant: number): Promise<void> {
  for (let left = instant - clock.now(); left > 0; left = instant - clock.now()) {
    await clock.sleep(Math.min(left, LOOK_MS), signal);
  }
}

/** Runs the job; while another process holds the data directory, again and again up to the next due time. */
async function runUntilNext(running: Running, one: Kept, table: Timetable): Promise<void> {
  const { clock, signal } = running;
  const until = table.next(clock.now()) ?? Number.POSITIVE_INFINITY;
  for (;;) {
    const error = await runOnce(running, one);
    if (error?.code !== 'DM_DATA_DIR_LOCKED' || clock.now() + LOCKED_RETRY_MS >= until) return;
    await clock.sleep(LOCKED_RETRY_MS, signal);
  }
}

async function runOnce(running: Running, one: Kept): Promise<AppError | null> {
  running.signal.throwIfAborted();
  return running.queue.add(() => attempt(running, one));
}

async function attempt({ clock, log, signal }: Running, one: Kept): Promise<AppError | null> {
  signal.throwIfAborted();
  const job = one.job.name;
  one.running = true;
  log.info({ job }, 'job begins');
  try {
    await one.job.run(signal);
    one.failure = null;
    log.info({ job }, 'job done');
    return null;
  } catch (error) {
    if (signal.aborted) throw error;
    const known = toAppError(error);
    const { code, message, hint } = known;
    one.failure = { at: clock.now(), code, message, hint };
    log.error({ job, err: known }, 'job failed');
    return known;
  } finally {
    one.running = false;
  }
}
