// A restore that ends before its end: whoever started it is told which one it is, how far it came, and how to go on with it.
import { AppError, isAbort, shellWord, toAppError, type ErrorCode } from '../base/index.ts';
import { restoreById, stepsOf, type Mirror, type RestoreRecord } from '../mirror/index.ts';
import { undone, type Plan } from '../restore/index.ts';
import type { Kit } from './kit.ts';

interface CutOff {
  readonly mirror: Mirror;
  readonly plan: Plan;
  /** The restore that was under way; undefined when nothing was begun. */
  readonly record: RestoreRecord | undefined;
}

/** Ends of a restore that say nothing of the restore itself. */
const STOPS: ReadonlySet<ErrorCode> = new Set([
  'DM_TOKEN_REFUSED',
  'DM_RATE_LIMITED',
  'DM_DISK_FULL',
  'DM_UNREACHABLE',
  'DM_TIMEOUT',
]);

/** The error as people need it; itself when the restore had not begun, or cannot go on. */
export function cutOff({ config }: Kit, { mirror, plan, record }: CutOff, error: unknown): unknown {
  const { code, message, hint } = toAppError(error);
  if (record === undefined || (!isAbort(error) && !STOPS.has(code))) return error;
  const { id } = record;
  const done = stepsOf(mirror, id).filter(({ state }) => state === 'done').length;
  const all = plan.steps.filter(({ part }) => part !== 'none').length;
  const { baseUrl } = config.target;
  const resume = `docmirror restore resume ${id}${baseUrl === null ? '' : ` --target-url ${shellWord(baseUrl)}`}`;
  return isAbort(error)
    ? new AppError('DM_INTERRUPTED', `Restore ${id} was interrupted; ${done} of ${all} writes done and kept`, {
        hint: `Run ${resume} to continue it: nothing is written twice.`,
        cause: error,
      })
    : new AppError(code, `Restore ${id} stopped after ${done} of ${all} writes: ${message}`, {
        // What continues it is another command than the one that began it.
        hint: `${hint.replace(', then run the same command again', '')} Then run ${resume} to continue it: nothing is written twice.`,
        cause: error,
      });
}

/** What a restore had made is gone once it was taken back: to go on with it would write into nothing. */
export function refuseUndone(mirror: Mirror, restore: string): void {
  const by = undone(mirror).get(restoreById(mirror, restore).id);
  if (by === undefined) return;
  throw new AppError(
    'DM_RESTORE_FAILED',
    `Restore ${restore} was taken back by restore ${by}: it cannot be continued`,
    {
      hint: 'Nothing was written. Make a new plan with `docmirror restore plan` to restore again.',
    },
  );
}
