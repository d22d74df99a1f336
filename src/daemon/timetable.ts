// When a job is due. Pure: the time is handed in.
import { Cron } from 'croner';

export interface Timetable {
  /** The first due time after an instant; null when there is none any more. */
  next(after: number): number | null;
  /** The last due time before an instant; null when there was none. */
  previous(before: number): number | null;
}

/** Due times of a cron expression in a time zone; null is the zone of this machine. Milliseconds since the epoch. */
export function timetable(pattern: string, timezone: string | null): Timetable {
  const cron = new Cron(pattern, { paused: true, ...(timezone === null ? {} : { timezone }) });
  return {
    next: (after) => cron.nextRun(new Date(after))?.getTime() ?? null,
    // Croner leaves milliseconds out: a time in the very second of the instant would not be found.
    previous: (before) => cron.previousRuns(1, new Date(Math.ceil(before / 1000) * 1000))[0]?.getTime() ?? null,
  };
}

/** True when a due time has passed since the job was last done, or may have: a time yet to come was told by a clock that was wrong. */
export function isMissed(table: Timetable, lastDone: number | null, now: number): boolean {
  if (lastDone === null || lastDone > now) return true;
  const previous = table.previous(now);
  return previous !== null && lastDone < previous;
}
