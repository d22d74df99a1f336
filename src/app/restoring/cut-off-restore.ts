// A restore that ends before its end: whoever started it is told which one it is, how far it came, and how to go on with it.
import { AppError, isAbort, namingFolder, toAppError, type ErrorCode } from '../../base/index.ts';
import { flagsToTarget } from '../../config/index.ts';
import { restoreById, stepsOf, halfUndone, undone, type Mirror, type RestoreRecord } from '../../mirror/index.ts';
import type { ApplyStop, Plan } from '../../restore/index.ts';
import type { Kit } from '../kit.ts';
import { RestoreStopped } from './restore-stopped.ts';
import { tokenSent } from './target.ts';

interface CutOff {
  readonly mirror: Mirror;
  readonly plan: Plan;
  /** The restore that was under way; undefined when nothing was begun. */
  readonly record: RestoreRecord | undefined;
  /** What continues it leaves the comments, too. */
  readonly withoutComments?: boolean;
}

/** The journal stands in the data directory: what cannot be written there ends a restore too. */
type Stop = ApplyStop | 'DM_DATA_DIR_UNUSABLE' | 'DM_DATA_DIR_LOCKED';

/** What to do before a restore goes on that was stopped. What continues it is another command than the one that began it. */
const FIRST: Readonly<Record<Stop, string>> = {
  DM_TOKEN_REFUSED: 'Give one that it takes.',
  DM_RATE_LIMITED: 'Wait until the target takes requests again.',
  DM_DISK_FULL:
    'Make room for what is named, else for the data directory: free space on its disk, or raise the quota or the limit.',
  DM_TOO_MANY_OPEN: 'Raise the limit on open files (ulimit -n, or LimitNOFILE of the service).',
  DM_DATA_DIR_UNUSABLE:
    'Let this user write into the data directory; where it may, look at what the system says of that disk (dmesg).',
  DM_DATA_DIR_LOCKED: 'Wait for the other program that writes to the mirror to end.',
  DM_UNREACHABLE: 'Check the network and the target.',
  DM_TIMEOUT: 'Wait until the target answers in time, or raise limits.timeout.',
};

const CONTINUES = 'it continues the restore, and nothing is written twice.';

/** The error as people need it; itself when the restore had not begun, or cannot go on. */
export function cutOff({ config }: Kit, { mirror, plan, record, withoutComments }: CutOff, error: unknown): unknown {
  const { code, message } = toAppError(namingFolder(error, { folder: config.dataDir, called: 'data directory' }));
  if (record === undefined || (!isAbort(error) && !isStop(code))) return error;
  const { id } = record;
  const done = stepsOf(mirror, id).filter(({ state }) => state === 'done').length;
  const all = plan.steps.filter(({ part }) => part !== 'none').length;
  const leaving = withoutComments === true ? ' --without-comments' : '';
  const resume = `docmirror restore resume ${id}${leaving}${flagsToTarget(config)}`;
  return isStop(code)
    ? new RestoreStopped(code, `Restore ${id} stopped after ${done} of ${all} writes: ${message}`, {
        hint: `${code === 'DM_TOKEN_REFUSED' ? `${tokenSent(config)} ` : ''}${FIRST[code]} Then run \`${resume}\`: ${CONTINUES}`,
        cause: error,
      })
    : new RestoreStopped('DM_INTERRUPTED', `Restore ${id} was interrupted; ${done} of ${all} writes done and kept`, {
        hint: `Run \`${resume}\`: ${CONTINUES}`,
        cause: error,
      });
}

function isStop(code: ErrorCode): code is Stop {
  return Object.hasOwn(FIRST, code);
}

/** What a restore had made is gone once it was taken back, and partly when that was begun: to go on with it would write into nothing. */
export function refuseUndone(mirror: Mirror, restore: string): void {
  const { id } = restoreById(mirror, restore);
  const [by, half] = [undone(mirror).get(id), halfUndone(mirror).get(id)];
  if (by !== undefined)
    throw new AppError('DM_RESTORE_UNDONE', `Restore ${id} was taken back by restore ${by}: it does not go on`, {
      hint: 'Nothing was written. Make a new plan with `docmirror restore plan` to restore again.',
    });
  if (half !== undefined)
    throw new AppError(
      'DM_RESTORE_UNDONE',
      `Restore ${id} is being taken back by restore ${half}, which has not come to its end: it does not go on`,
      {
        hint: `Nothing was written. Run \`docmirror restore resume ${half}\` to take it back to the end, or make a new plan with \`docmirror restore plan\` to restore again.`,
      },
    );
}
