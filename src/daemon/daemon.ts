import PQueue from 'p-queue';
import {
  isAbort,
  isoTime,
  toAppError,
  type AppError,
  type Clock,
  type Logger,
  type Mutex,
  type Random,
} from '../base/index.ts';
import type { JobState } from '../status/index.ts';
import type { Job } from './job.ts';
import { isMissed, timetable, type Timetable } from './timetable.ts';

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

/** Runs jobs at their times, never two at once, each caught up when its time passed while nothing ran. */
export interface Daemon {
  state(): JobState[];
  /** Other times and other work under the same names. A job under way ends as it began. */
  replace(schedule: JobSchedule): void;
  /** Resolves when no job runs or waits for another. */
  idle(): Promise<void>;
  /** No further job begins; the one under way is left to end by itself. */
  endAfterJob(): void;
  /** Resolves when the signal has aborted and the job under way, if any, has stopped, or when it was to end after it and that is done. */
  run(signal: AbortSignal): Promise<void>;
}

// Timers stand still while a machine sleeps; looking at the clock this often finds a due time soon after.
const LOOK_MS = 30_000;
// Somebody else holds the data directory: asked again until the next due time.
const LOCKED_RETRY_MS = 60_000;
// What a few tries do not cure is left to the next due time, and to whoever was told.
const MOST_RETRIES = 3;

type Kept = { -readonly [K in keyof Required<JobState>]: Required<JobState>[K] } & {
  job: Job;
  /** How often it was tried again since it was due. */
  retries: number;
  /** Aborts when the schedule is replaced. */
  replaced: AbortController;
};

interface Running {
  readonly options: DaemonOptions;
  readonly schedule: () => JobSchedule;
  readonly queue: PQueue;
  /** Stops the job under way. */
  readonly signal: AbortSignal;
  /** Aborts when no further job is to begin: with the signal, or before it. */
  readonly enough: AbortSignal;
}

export function createDaemon(options: DaemonOptions): Daemon {
  let schedule: JobSchedule = options;
  const kept = schedule.jobs.map(begin);
  const queue = new PQueue({ concurrency: 1 });
  const ending = new AbortController();
  return {
    state: () =>
      kept.map(({ job, retries: _retries, replaced: _replaced, ...state }) => ({
        ...state,
        failure: isOverSince(options, job, state.failure) ? null : state.failure,
      })),
    replace: (next) => {
      schedule = next;
      for (const one of kept) {
        one.job = next.jobs.find(({ name }) => name === one.name) ?? { ...one.job, pattern: null };
        one.replaced.abort();
        one.replaced = new AbortController();
      }
    },
    idle: () => queue.onIdle(),
    endAfterJob: () => ending.abort(),
    run: async (signal) => {
      const enough = AbortSignal.any([signal, ending.signal]);
      const running = { options, schedule: () => schedule, queue, signal, enough };
      await Promise.all(cutOffLast(kept).map((one) => keep(running, one)));
    },
  };
}

/** One that takes longer than a daemon stays up would keep all others waiting for ever. */
function cutOffLast(kept: readonly Kept[]): Kept[] {
  const wasCutOff = new Map(kept.map((one) => [one, one.job.wasCutOff?.() === true]));
  return kept.toSorted((a, b) => Number(wasCutOff.get(a)) - Number(wasCutOff.get(b)));
}

/** Whoever did the job's work by hand after it failed has mended it: it is not shown as failed until its next time. */
function isOverSince(options: DaemonOptions, job: Job, failure: Kept['failure']): boolean {
  if (failure === null || job.lastWell === undefined) return false;
  try {
    const well = job.lastWell();
    return well !== null && failure.at < well && well <= options.clock.now();
  } catch {
    // Such as in a damaged mirror, which is what it failed for.
    return false;
  }
}

function begin(job: Job): Kept {
  const state = { name: job.name, running: false, due: false, next: null, failure: null, last: null, missed: null };
  return { ...state, job, retries: 0, replaced: new AbortController() };
}

async function keep(running: Running, one: Kept): Promise<void> {
  try {
    await catchUp(running, one);
    for (;;) await awaitDueAndRun(running, one);
  } catch (error) {
    if (!isAbort(error) && !running.enough.aborted) throw error;
  }
}

async function catchUp(running: Running, one: Kept): Promise<void> {
  const { clock, log, onChange } = running.options;
  const table = tableOf(running, one);
  if (table === null) return;
  const lastDone = lastDoneOf(running, one);
  if (!isMissed(table, lastDone, clock.now())) return;
  if (lastDone === null) {
    log.info({ job: one.name }, 'never done before, due now');
  } else if (lastDone > clock.now()) {
    log.warn({ job: one.name, last: isoTime(lastDone) }, 'last done at a time that is yet to come, due now');
  } else {
    one.missed = table.previous(clock.now());
    onChange?.(one.name);
    log.info({ job: one.name }, 'a run was missed, catching up');
  }
  await runUntilNext(running, one, table);
}

/** Null also where it cannot be read, as in a damaged mirror: the job itself then tells of it, and no other daemon of the process ends. */
function lastDoneOf({ options }: Running, one: Kept): number | null {
  try {
    return one.job.lastDone();
  } catch (error) {
    options.log.error({ job: one.name, err: toAppError(error) }, 'when it was done last cannot be read');
    return null;
  }
}

function tableOf({ schedule }: Running, { job }: Kept): Timetable | null {
  return job.pattern === null ? null : timetable(job.pattern, schedule().timezone);
}

async function awaitDueAndRun(running: Running, one: Kept): Promise<void> {
  const { clock, log, random } = running.options;
  running.enough.throwIfAborted();
  const table = tableOf(running, one);
  const since = clock.now();
  const due = table?.next(since) ?? null;
  one.next = due;
  if (due === null && table !== null) {
    log.warn({ job: one.name, pattern: one.job.pattern }, 'the schedule has no further time');
  }
  if (due !== null) log.info({ job: one.name, next: isoTime(due) }, 'job scheduled');
  const begins = due === null ? Number.POSITIVE_INFINITY : due + random.next() * running.schedule().jitterMs;
  await waitUntil(running, begins, {
    replaced: one.replaced.signal,
    isPast: () => isEarlierDue(clock, table, { since, due }),
  });
  // A schedule that was replaced after the due time, and before the job began, still owes that run.
  const latest = tableOf(running, one);
  if (due !== null && due <= clock.now() && latest !== null) await runUntilNext(running, one, latest);
}

/** The clock was set back: what was reckoned from it, such as the next night of a machine that woke in another century, is no more true. */
function isEarlierDue(clock: Clock, table: Timetable | null, reckoned: { since: number; due: number | null }): boolean {
  const now = clock.now();
  const { since, due } = reckoned;
  // A time that was the next one remains that until it has come. Asked of every job twice a minute, so without reckoning anew.
  if (now >= since) return false;
  const next = table?.next(now) ?? null;
  return next !== null && (due === null || next < due);
}

interface Cut {
  /** Aborts when the schedule is replaced. */
  readonly replaced: AbortSignal;
  /** Asked now and then: true when there is nothing to wait for any more. */
  readonly isPast: () => boolean;
}

async function waitUntil({ options, enough }: Running, instant: number, { replaced, isPast }: Cut): Promise<void> {
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

/** Runs the job, and again when it failed: a few times, or as soon as there is another schedule, such as one with another token, or the clock was set back, from which that time may be years away. */
async function runUntilNext(running: Running, one: Kept, table: Timetable): Promise<void> {
  for (one.retries = 0; ; one.retries++) {
    one.due = true;
    try {
      await runUnlessLocked(running, one, table);
    } finally {
      one.due = false;
    }
    const again = retryOf(running, one);
    if (again === null) return;
    running.options.log.info({ job: one.name, next: isoTime(again) }, 'a job that failed is tried again');
    const isSetBack = (): boolean => running.options.clock.now() < (one.failure?.at ?? 0);
    const isPast = (): boolean => isSetBack() || retryOf(running, one) === null;
    await waitUntil(running, again, { replaced: one.replaced.signal, isPast });
    if (retryOf(running, one) === null) return;
  }
}

/** When a job that failed is tried again; null where it was often enough, was done well since, or where its next time comes first. */
function retryOf(running: Running, one: Kept): number | null {
  const { job, failure, last } = one;
  const table = tableOf(running, one);
  if (!job.retry || table === null || failure === null || one.retries >= MOST_RETRIES) return null;
  if (isOverSince(running.options, job, failure)) return null;
  if (!job.retry.errors.some((code) => code === failure.code)) return null;
  const again = failure.at + job.retry.afterMs;
  const next = table.next(last?.at ?? failure.at);
  return next === null || again < next ? again : null;
}

/** Runs the job; while another process holds the data directory, again and again up to the next due time. */
async function runUnlessLocked(running: Running, one: Kept, table: Timetable): Promise<void> {
  const { clock, onChange } = running.options;
  const due = clock.now();
  const until = table.next(due) ?? Number.POSITIVE_INFINITY;
  for (;;) {
    const error = await runOnce(running, one);
    if (error?.code !== 'DM_DATA_DIR_LOCKED') return;
    if (clock.now() + LOCKED_RETRY_MS >= until) {
      one.missed = due;
      return onChange?.(one.name);
    }
    await clock.sleep(LOCKED_RETRY_MS, running.enough);
  }
}

async function runOnce(running: Running, one: Kept): Promise<AppError | null> {
  const { options, queue, enough } = running;
  enough.throwIfAborted();
  const run = (): Promise<AppError | null> => attempt(running, one);
  return queue.add(() => (one.job.isHeavy === true && options.heavy ? options.heavy.hold(enough, run) : run()));
}

async function attempt(running: Running, one: Kept): Promise<AppError | null> {
  const { options, signal, enough } = running;
  const { clock, log, onChange } = options;
  enough.throwIfAborted();
  const job = one.name;
  const begun = clock.now();
  one.running = true;
  onChange?.(job);
  log.info({ job }, 'job begins');
  try {
    await one.job.run(signal);
    one.failure = null;
    one.missed = null;
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
    one.last = { at: begun, ms: clock.now() - begun };
    // Whoever is told of a failure is told when it is tried again.
    one.next = retryOf(running, one) ?? tableOf(running, one)?.next(clock.now()) ?? null;
    if (!signal.aborted) onChange?.(job);
  }
}
