// A walk from its first listing to the sealed snapshot, or the continuation of one that was cut off.
import { AppError, inTurns, toAppError } from '../base/index.ts';
import {
  carryNotOffered,
  countsOf,
  failuresOf,
  lastSealed,
  notOfferedIn,
  openedSnapshot,
  outOfReach,
  refusedIn,
  sealSnapshot,
  type Mirror,
  type Snapshot,
} from '../mirror/index.ts';
import { beginWalk } from './begin-walk.ts';
import { createBudget } from './budget.ts';
import { carryPutOff, carryUnread, carryUnreadTrees } from './carried.ts';
import { tellTooSmall } from './forecast.ts';
import { visitAll } from './lanes.ts';
import { carryRefused } from './refusals.ts';
import type { Walk, WalkOptions, WalkProgress, WalkResult } from './types.ts';
import { settleForms } from './unknown-form.ts';
import { usageSince } from './usage.ts';

/**
 * Visits everything in scope once and seals one snapshot. Continues an open walk of the same platform, scope, mode and terms.
 * Failures of single reads make the snapshot partial; what speaks of more (token refused, platform out of reach, disk full,
 * interrupted) is thrown, and the walk stays open to be continued. Nothing is opened before the platform has answered once.
 */
export async function walk(options: WalkOptions): Promise<WalkResult> {
  refuseOtherPlatform(options);
  const usage = usageSince(options);
  const { requests: earlier, bytes: earlierBytes } = options.client.meter;
  const budget = createBudget(options);
  const current = await beginWalk(options);
  const onCommitted = (): void => usage.addNowAndThen(current.id);
  const onProgress = (progress: WalkProgress): void => {
    // The client of a daemon, or of a restore, has asked for other things before.
    const { requests, bytes } = progress;
    options.onProgress?.({ ...progress, requests: requests - earlier, bytes: bytes - earlierBytes });
  };
  try {
    await visitAll({ ...current, onProgress, onCommitted }, budget);
    settleForms(current);
  } finally {
    current.telling.end({ snapshot: current.id });
    usage.add(current.id);
  }
  await inTurns(tellTooSmall(current), options.signal);
  carryNotOffered(current);
  carryRefused(current);
  carryUnread(current);
  carryPutOff(current);
  carryUnreadTrees(current);
  // What sealing takes is part of what the walk took.
  const sealing = sealSnapshot(current, options.settings.brake, {
    usedSince: () => usage.sinceLast(),
    onUnmerged: (error) => tellUnmerged(current, error),
  });
  return finished(current, await inTurns(sealing, options.signal));
}

function tellUnmerged({ log, id }: Walk, error: unknown): void {
  const { code, message } = toAppError(error);
  const what =
    'the snapshot is sealed, but the search index was not merged: the next walk does that; searches find the same';
  log.warn({ snapshot: id, code, why: message }, what);
}

/** That it has moved is said once, and holds for the walk that goes on. */
function refuseOtherPlatform({ mirror, origin, moved }: WalkOptions): void {
  const refusal = moved === true ? null : otherPlatform(mirror, origin);
  if (refusal !== null) throw refusal;
}

/** A mirror is of one platform: what another one lacks would look deleted. Null where there is no mirror yet, or it is of this one. */
export function otherPlatform(mirror: Mirror, origin: string): AppError | null {
  const [sealed, open] = [lastSealed(mirror), openedSnapshot(mirror)];
  const last = sealed ?? open;
  if (last === undefined || sealed?.origin === origin || open?.origin === origin) return null;
  return new AppError('DM_OTHER_PLATFORM', `This mirror is of ${last.origin}, and the platform to walk is ${origin}`, {
    hint: 'Use another --data-dir for another platform. If it is the same platform at a new address, run `docmirror sync --moved` once.',
  });
}

function finished({ mirror, id }: Walk, snapshot: Snapshot): WalkResult {
  return {
    snapshot,
    kinds: countsOf(mirror, id),
    failures: failuresOf(mirror, id),
    notOffered: notOfferedIn(mirror, id),
    unreachable: outOfReach(mirror, id),
    refused: refusedIn(mirror, id),
  };
}
