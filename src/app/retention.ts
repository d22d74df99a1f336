import { existsSync } from 'node:fs';
import { AppError, inTurns, isOfFileSize, namingFolder, shellWord, toAppError } from '../base/index.ts';
import {
  acceptSnapshot,
  forget,
  forgetRefusal,
  lastSealed,
  MOST_ACCEPTED,
  pinSnapshot,
  planForget,
  prune,
  readMirror,
  snapshotById,
  unacceptable,
  unpinSnapshot,
  unreadThings,
  withdrawAccepted,
  type Mirror,
  type Pruned,
  type RetentionPolicy,
  type RetentionVerdict,
  type Snapshot,
  type Unacceptable,
  type UnreadThing,
} from '../mirror/index.ts';
import { inOwnMirror } from './own-mirror.ts';
import type { Kit } from './kit.ts';
import { contentFolder } from './places.ts';

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
  return freeingIn(kit, 'forget', async (mirror) => {
    const verdicts = await inTurns(forget(mirror, policy), signal);
    return { verdicts, pruned: freeing ? await inTurns(prune(mirror), signal) : null, refusal: null };
  });
}

/** Frees what no snapshot refers to. */
export function pruneMirror(kit: Kit, signal: AbortSignal): Promise<Pruned> {
  return freeingIn(kit, 'prune', (mirror) => inTurns(prune(mirror), signal));
}

/** What frees room takes some itself: where there is none, the error says what may go first. */
async function freeingIn<T>(kit: Kit, purpose: string, work: (mirror: Mirror) => Promise<T>): Promise<T> {
  try {
    return await inOwnMirror(kit, purpose, work);
  } catch (error) {
    const content = contentFolder(kit.config);
    const named = toAppError(namingFolder(error, { folder: kit.config.dataDir, called: 'data directory' }));
    if (named.code !== 'DM_DISK_FULL' || isOfFileSize(named) || !existsSync(content)) throw error;
    const first = `To free space takes some itself: ${content} may be removed for it, but for files of your own, and docmirror export --to ${shellWord(content)} writes it again.`;
    throw new AppError(named.code, named.message, { hint: `${first} ${named.hint}`, cause: error });
  }
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

/**
 * Takes what a suspect snapshot shows for meant, or what the newest one, which is partial, lacks for known. Throws DM_SNAPSHOT_UNKNOWN,
 * and DM_USAGE without a reason or for what cannot be accepted.
 */
export function accept(kit: Kit, snapshot: number, reason: string): Promise<Acceptance> {
  return inOwnMirror(kit, 'accept', (mirror) => {
    const found = snapshotById(mirror, snapshot);
    demandAcceptable(mirror, found);
    demandReason(reason, {
      what: `accept snapshot ${found.id}`,
      hint:
        found.state === 'partial'
          ? 'Say why it cannot be read: whoever looks at it later decides by that whether it still holds.'
          : 'Say why so much is gone or rewritten: whoever looks at it later judges by that what all the others were measured by.',
    });
    acceptSnapshot(mirror, found.id, reason);
    return { state: found.state, lacking: unreadThings(mirror, found.id) };
  });
}

/** Takes it back; true when the snapshot was accepted until now. Throws DM_SNAPSHOT_UNKNOWN. */
export function unaccept(kit: Kit, snapshot: number): Promise<boolean> {
  return inOwnMirror(kit, 'unaccept', (mirror) => withdrawAccepted(mirror, snapshotById(mirror, snapshot).id));
}

/** What was accepted. */
export interface Acceptance {
  readonly state: Snapshot['state'];
  /** What later snapshots may lack as well. */
  readonly lacking: readonly UnreadThing[];
}

function demandAcceptable(mirror: Mirror, { id, state }: Snapshot): void {
  const newest = lastSealed(mirror)?.id;
  if (state === 'suspect') return;
  if (state !== 'partial') throw refused(`Snapshot ${id} is ${state}; expected a suspect or partial one`);
  if (id !== newest)
    throw refused(`Snapshot ${id} is partial, and snapshot ${newest} has followed it; expected that one`);
  const why = unacceptable(mirror, id);
  if (why === null) return;
  throw refused(`What snapshot ${id} lacks cannot be accepted: ${UNACCEPTABLE[why].what}`, UNACCEPTABLE[why].hint);
}

function refused(message: string, hint = 'Run docmirror snapshots to see them.'): AppError {
  return new AppError('DM_USAGE', message, { hint });
}

/** Whoever accepted these would be told no longer that they are missing. */
const UNACCEPTABLE: Readonly<Record<Unacceptable, { readonly what: string; readonly hint: string }>> = {
  'of the moment': {
    what: 'not all of it was asked for, or the platform did not answer',
    hint: 'Run docmirror sync, which reads what was not read; docmirror snapshots show says what that is.',
  },
  lost: {
    what: 'something is no longer listed, or out of reach of the token',
    hint: 'Run docmirror sync again: it tells whether that is gone; docmirror snapshots show says what it is.',
  },
  refused: {
    what: 'some of it is refused to the token (403 or 402), or not there for it (404)',
    hint: 'Give it the right, or run docmirror sync --accept-rights if that is meant.',
  },
  'content refused': {
    what: 'some of it is all that a space holds, or what holds spaces, which is refused to the token (403 or 402)',
    hint: 'Give it the right to read that: neither this command nor docmirror sync --accept-rights does without it.',
  },
  'all refused': {
    what: 'of a space, each thing of a kind that was asked for is refused to the token (403 or 402)',
    hint: 'Give it the right to read that space: a page or file can be accepted one by one where the token may read others beside it.',
  },
  many: {
    what: `expected at most ${MOST_ACCEPTED} things that could not be read`,
    hint: 'Mend the platform and run docmirror sync; docmirror snapshots show names all of them.',
  },
};
