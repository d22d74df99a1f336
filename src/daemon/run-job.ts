// One job that is due: run in its turn, and tried again where that helps.
import { toAppError, isoTime, type AppError } from '../base/index.ts';
import type { Job } from './job.ts';
import { tableOf, waitUntil, type DaemonOptions, type Kept, type Running, type Scheduled } from './running.ts';
import type { Timetable } from './timetable.ts';

// Somebody else holds the data directory: asked again until the next due time.
const LOCKED_RETRY_MS = 60_000;
// What a few tries do not cure is left to the next due time, and to whoever was told.
const MOST_RETRIES = 3;

/** Runs the job, and again when it failed: a few times, or as soon as there is another schedule, such as one with another token, or the clock was set back, from which that time may be years away. */
export async function runUntilNext(running: Running, one: Kept, table: Timetable): Promise<void> {
  one.retries = 0;
  await runDue(running, one, table);
  await tryAgain(running, one, table);
}

/** The same for one that has failed already, be it under a daemon before this one. */
export async function tryAgain(running: Running, one: Kept, table: Timetable): Promise<void> {
  while (await isTimeForAnother(running, one)) {
    one.retries++;
    await runDue(running, one, table);
  }
}

async function runDue(running: Running, one: Kept, table: Timetable): Promise<void> {
  one.due = true;
  try {
    await runUnlessLocked(running, one, table);
  } finally {
    one.due = false;
  }
}

/** Waits until then; false where it is not tried again. */
async function isTimeForAnother(running: Running, one: Kept): Promise<boolean> {
  const { clock, log, onChange } = running.options;
  const again = retryOf(running, one);
  one.retrying = again !== null;
  if (again === null) return false;
  log.info({ job: one.name, next: isoTime(again) }, 'a job that failed is tried again');
  const isSetBack = (): boolean => clock.now() < (one.failure?.at ?? 0);
  const isPast = (): boolean => isSetBack() || retryOf(running, one) === null;
  await waitUntil(running, again, { replaced: one.replaced.signal, isPast });
  if (retryOf(running, one) !== null) return true;
  one.retrying = false;
  await one.job.retrial?.note(null);
  onChange?.(one.name);
  return false;
}

/** When a job that failed is tried again; null where it was often enough, was done well since, or where its next time comes first. */
export function retryOf(running: Scheduled, one: Kept): number | null {
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
  // It was taken out of the plan while it waited for another job or process.
  if (tableOf(running, one) === null) return null;
  const job = one.name;
  const [begun, since] = [clock.now(), clock.monotonic()];
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
    one.last = { at: begun, ms: clock.monotonic() - since };
    // Whoever is told of a failure is told when it is tried again.
    const again = retryOf(running, one);
    one.retrying = again !== null;
    one.next = again ?? tableOf(running, one)?.next(clock.now()) ?? null;
    // One that is cut off is tried again by the next daemon, if it was tried again by this one.
    if (!signal.aborted) {
      await one.job.retrial?.note(
        again === null || one.failure === null ? null : { failure: one.failure, retries: one.retries },
      );
      onChange?.(job);
    }
  }
}

/** Whoever did the job's work by hand after it failed has mended it: it is not shown as failed until its next time. */
export function isOverSince(options: DaemonOptions, job: Job, failure: Kept['failure']): boolean {
  if (failure === null || job.lastWell === undefined) return false;
  try {
    const well = job.lastWell();
    return well !== null && failure.at < well && well <= options.clock.now();
  } catch {
    // Such as in a damaged mirror, which is what it failed for.
    return false;
  }
}
