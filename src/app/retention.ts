import { AppError, inTurns } from '../base/index.ts';
import {
  acceptSnapshot,
  forget,
  forgetRefusal,
  pinSnapshot,
  planForget,
  prune,
  readMirror,
  snapshotById,
  unpinSnapshot,
  type Pruned,
  type RetentionPolicy,
  type RetentionVerdict,
} from '../mirror/index.ts';
import { inOwnMirror } from './own-mirror.ts';
import type { Kit } from './kit.ts';

export interface ForgetOptions {
  readonly policy: RetentionPolicy;
  /** Only says what would be dropped. */
  readonly dryRun: boolean;
  /** Frees at once what nothing refers to any more. */
  readonly prune: boolean;
  readonly signal: AbortSignal;
}

export interface Forgotten {
  /** What becomes of each snapshot and why, oldest first. */
  readonly verdicts: readonly RetentionVerdict[];
  /** Null when nothing was freed. */
  readonly pruned: Pruned | null;
  /** Why forgetting would be refused now; null when it would not, or was done. */
  readonly refusal: AppError | null;
}

/**
 * Drops the snapshots that the policy does not keep. Throws DM_BRAKE while the newest snapshot is suspect; a dry run only tells of
 * it.
 */
export async function forgetSnapshots(
  kit: Kit,
  { policy, dryRun, prune: freeing, signal }: ForgetOptions,
): Promise<Forgotten> {
  if (dryRun) {
    using mirror = readMirror({ dataDir: kit.config.dataDir, clock: kit.clock });
    const verdicts = planForget(mirror, policy);
    return { verdicts, pruned: null, refusal: await inTurns(forgetRefusal(mirror, verdicts), signal) };
  }
  return inOwnMirror(kit, 'forget', async (mirror) => {
    const verdicts = await inTurns(forget(mirror, policy), signal);
    return { verdicts, pruned: freeing ? await inTurns(prune(mirror), signal) : null, refusal: null };
  });
}

/** Frees what no snapshot refers to. */
export function pruneMirror(kit: Kit, signal: AbortSignal): Promise<Pruned> {
  return inOwnMirror(kit, 'prune', (mirror) => inTurns(prune(mirror), signal));
}

/** Pins a snapshot with a reason. Throws DM_SNAPSHOT_UNKNOWN, and DM_USAGE without a reason. */
export function pin(kit: Kit, snapshot: number, reason: string): Promise<void> {
  return inOwnMirror(kit, 'pin', (mirror) => {
    const { id } = snapshotById(mirror, snapshot);
    demandReason(reason, {
      what: `pin snapshot ${id}`,
      hint: 'Say why it is kept: whoever finds the pin later decides by that whether it may go.',
    });
    pinSnapshot(mirror, id, reason);
  });
}

function demandReason(reason: string, { what, hint }: { readonly what: string; readonly hint: string }): void {
  if (reason.trim() !== '') return;
  throw new AppError('DM_USAGE', `The reason to ${what} is empty; expected some words`, { hint });
}

/** True when the snapshot was pinned until now. Throws DM_SNAPSHOT_UNKNOWN. */
export function unpin(kit: Kit, snapshot: number): Promise<boolean> {
  return inOwnMirror(kit, 'unpin', (mirror) => unpinSnapshot(mirror, snapshotById(mirror, snapshot).id));
}

/** Takes what a snapshot shows for meant. Throws DM_SNAPSHOT_UNKNOWN, and DM_USAGE for one that is not suspect or without a reason. */
export function accept(kit: Kit, snapshot: number, reason: string): Promise<void> {
  return inOwnMirror(kit, 'accept', (mirror) => {
    const { id, state } = snapshotById(mirror, snapshot);
    if (state !== 'suspect') throw notSuspect(id, state);
    demandReason(reason, {
      what: `accept snapshot ${id}`,
      hint: 'Say why so much is gone or rewritten: whoever looks at it later judges by that what all the others were measured by.',
    });
    acceptSnapshot(mirror, id, reason);
  });
}

/** Whoever accepted what was not read would be told no longer that it is missing. */
function notSuspect(id: number, state: string): AppError {
  return new AppError('DM_USAGE', `Snapshot ${id} is ${state}; expected a suspect one`, {
    hint:
      state === 'partial'
        ? 'Run docmirror sync, which reads what was not read; docmirror snapshots show says what that is.'
        : 'Run docmirror snapshots to see which one is suspect.',
  });
}
