import PQueue from 'p-queue';
import { isAbort, isoTime, toAppError, type Clock } from '../base/index.ts';
import type { JobState } from '../status/index.ts';
import type { Job } from './job.ts';
import { isOverSince, retryOf, runUntilNext, tryAgain } from './run-job.ts';
import {
  LOOK_MS,
  tableOf,
  waitUntil,
  type DaemonOptions,
  type JobSchedule,
  type Kept,
  type Running,
  type Scheduled,
} from './running.ts';
import { isMissed, type Timetable } from './timetable.ts';

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

/** A daemon that waits: nothing runs before its `run` is called. */
export function createDaemon(options: DaemonOptions): Daemon {
  let schedule: JobSchedule = options;
  const kept = schedule.jobs.map((job) => begin({ options, schedule: () => schedule }, job));
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

/** The job that was cut off when the last daemon ended goes last: one that takes longer than a daemon stays up would keep the others waiting for ever. */
function cutOffLast(kept: readonly Kept[]): Kept[] {
  const wasCutOff = new Map(kept.map((one) => [one, one.job.wasCutOff?.() === true]));
  return kept.toSorted((a, b) => Number(wasCutOff.get(a)) - Number(wasCutOff.get(b)));
}

function begin(scheduled: Scheduled, job: Job): Kept {
  const left = job.retrial?.recall() ?? null;
  const state = {
    name: job.name,
    running: false,
    due: false,
    next: null,
    failure: left?.failure ?? null,
    retrying: false,
    last: null,
    missed: null,
  };
  const one: Kept = { ...state, job, retries: left?.retries ?? 0, replaced: new AbortController() };
  one.next = retryOf(scheduled, one);
  one.retrying = one.next !== null;
  return one;
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
  if (!isMissed(table, lastDone, clock.now())) return tryAgain(running, one, table);
  if (lastDone === null) {
    log.info({ job: one.name }, 'never done before, due now');
  } else if (lastDone > clock.now()) {
    log.warn({ job: one.name, last: isoTime(lastDone) }, 'last done at a time that is yet to come, due now');
  } else if (wasBegun(running, one, table)) {
    log.info({ job: one.name }, 'a run was cut off, going on with it');
  } else if (isJustDue(running, table, lastDone)) {
    log.info({ job: one.name }, 'due a moment ago');
  } else {
    one.missed = table.previous(clock.now());
    onChange?.(one.name);
    log.info({ job: one.name }, 'a run was missed, catching up');
  }
  await runUntilNext(running, one, table);
}

/** A daemon that had been running all the time might not have begun it either, as late as the jitter lets it. */
function isJustDue({ options, schedule }: Running, table: Timetable, lastDone: number): boolean {
  const now = options.clock.now();
  const due = table.previous(now);
  return due !== null && now <= due + schedule().jitterMs && !isMissed(table, lastDone, due);
}

function wasBegun({ options }: Running, { job }: Kept, table: Timetable): boolean {
  const due = table.previous(options.clock.now());
  try {
    const begun = job.cutOffSince?.() ?? null;
    return begun !== null && due !== null && begun >= due;
  } catch {
    // As in a damaged mirror: the job itself tells of it.
    return false;
  }
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
  const begins = due === null ? Number.POSITIVE_INFINITY : due + random.next() * running.schedule().jitterMs;
  if (due !== null) log.info({ job: one.name, next: isoTime(due), begins: isoTime(begins) }, 'job scheduled');
  await waitUntil(running, begins, {
    replaced: one.replaced.signal,
    isPast: () => isEarlierDue(clock, table, { since, due }),
  });
  await letFirstBegin(running, one, begins);
  // A schedule that was replaced after the due time, and before the job began, still owes that run.
  const latest = tableOf(running, one);
  if (due !== null && due <= clock.now() && latest !== null) await runUntilNext(running, one, latest);
}

/** When the machine has slept over the times of several, each finds that out when it looks next: the first of them waits for no other. */
async function letFirstBegin({ options, schedule, enough }: Running, { name }: Kept, begins: number): Promise<void> {
  const isLate = options.clock.now() - begins > LOOK_MS;
  if (isLate && schedule().jobs[0]?.name !== name) await options.clock.sleep(LOOK_MS, enough);
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
