// The job that walks: when it was done, and what of it is owed to whoever was told that it began.
import { AppError, isRecord, type ErrorCode, type Json } from '../../base/index.ts';
import type { Job, Memory, Retrial } from '../../daemon/index.ts';
import { isSealed, listSnapshots, openedSnapshot, type Snapshot } from '../../mirror/index.ts';
import type { Kit } from '../kit.ts';
import type { SyncOptions, SyncResult } from '../sync.ts';
import { lastOf, lastWhenWritten, timeOf } from './last-of.ts';

export interface SyncJobParts {
  readonly kit: Kit;
  readonly memory: Memory;
  readonly sync: (options: SyncOptions) => Promise<SyncResult>;
}

/** The job that walks. */
export const SYNC = 'sync';

// What the platform answers, or that it does not, may be otherwise in an hour.
const OF_THE_PLATFORM: readonly ErrorCode[] = [
  'DM_UNREACHABLE',
  'DM_TIMEOUT',
  'DM_HTTP_STATUS',
  'DM_NOT_JSON',
  'DM_BAD_RESPONSE',
  'DM_RATE_LIMITED',
  'DM_TOKEN_REFUSED',
  'DM_FORBIDDEN',
  'DM_REDIRECT_REFUSED',
];
// Somebody may have made room by then, or given the disk back.
const OF_THE_DISK: readonly ErrorCode[] = ['DM_DISK_FULL', 'DM_DATA_DIR_UNUSABLE'];
// What a listing shows no more may be gone: another look tells.
const WALKED_AGAIN: readonly ErrorCode[] = [...OF_THE_PLATFORM, ...OF_THE_DISK, 'DM_INCOMPLETE'];

/**
 * A snapshot that was sealed says that the night was walked; that it is to be looked at again, or that its export is not written yet, is
 * remembered beside it.
 */
export function syncJob(parts: SyncJobParts): Job {
  const { kit, memory } = parts;
  const { sync: pattern, retryAfterMs } = kit.config.schedule;
  return {
    name: SYNC,
    pattern,
    retry: retryAfterMs === null ? null : { afterMs: retryAfterMs, errors: WALKED_AGAIN },
    retrial: {
      recall: () => retrialIn(memory.get(RETRIAL)),
      note: (retrial) => memory.set(RETRIAL, documentOf(retrial)),
    },
    lastDone: () => {
      const after = underWayIn(memory)?.after ?? Number.POSITIVE_INFINITY;
      return lastOf(kit, (mirror) =>
        timeOf(listSnapshots(mirror).findLast((one) => isWholeWalk(one) && one.id <= after)?.started_at),
      );
    },
    cutOffSince: () =>
      lastOf(kit, (mirror) => timeOf(openedSnapshot(mirror)?.started_at)) ?? underWayIn(memory)?.begun ?? null,
    // One that was continued by hand began before it failed.
    lastWell: lastWhenWritten(kit, (mirror) => timeOf(listSnapshots(mirror).findLast(isWholeWalk)?.sealed_at)),
    run: async (signal) => {
      await memory.set(UNDER_WAY, { ...(underWayIn(memory) ?? { begun: kit.clock.now(), after: lastWholeWalk(kit) }) });
      try {
        await walkOnce(parts, signal);
      } catch (error) {
        if (!signal.aborted) await memory.set(UNDER_WAY, null);
        throw error;
      }
      await memory.set(UNDER_WAY, null);
    },
  };
}

async function walkOnce({ kit, sync }: SyncJobParts, signal: AbortSignal): Promise<void> {
  const result = await sync({ signal });
  const { snapshot, export: exported } = result;
  const seen = { snapshot: snapshot.id, state: snapshot.state, requests: snapshot.requests, why: snapshot.reason };
  if (result.isSound) kit.log.info(seen, 'snapshot sealed');
  else kit.log.warn(seen, 'snapshot sealed, but it is not complete');
  if (exported.state === 'failed') throw exported.error;
  if (isLookedAtAgain(kit, result)) throw unconfirmed(snapshot);
}

/** True for a walk after which another is to tell whether what is no longer listed is gone. */
export function isLookedAtAgain({ config }: Kit, { isUnconfirmed, export: { state } }: SyncResult): boolean {
  return config.schedule.retryAfterMs !== null && state !== 'failed' && isUnconfirmed;
}

function unconfirmed({ id, reason }: Snapshot): AppError {
  return new AppError('DM_INCOMPLETE', `Snapshot ${id} is partial: ${reason ?? ''}`, {
    hint: 'The next walk tells whether it is gone.',
  });
}

const UNDER_WAY = 'walk under way';
const RETRIAL = 'walk tried again';

interface UnderWay {
  /** Milliseconds since the epoch. */
  readonly begun: number;
  /** The last snapshot of a whole walk by then, 0 when there was none. */
  readonly after: number;
}

/** The walk that a daemon has begun and not ended, with its export. */
function underWayIn(memory: Memory): UnderWay | null {
  const found = memory.get(UNDER_WAY);
  if (!isRecord(found)) return null;
  const { begun, after } = found;
  return typeof begun === 'number' && typeof after === 'number' ? { begun, after } : null;
}

/** Number of its snapshot, 0 where there is none; where the mirror cannot be read, the walk itself tells of it. */
function lastWholeWalk(kit: Kit): number {
  try {
    return lastOf(kit, (mirror) => listSnapshots(mirror).findLast(isWholeWalk)?.id ?? null) ?? 0;
  } catch {
    return 0;
  }
}

function documentOf(retrial: Retrial | null): Json {
  return retrial && { retries: retrial.retries, failure: { ...retrial.failure } };
}

function retrialIn(found: Json | undefined): Retrial | null {
  if (!isRecord(found) || !isRecord(found['failure'])) return null;
  const { retries } = found;
  const { at, code, message, hint } = found['failure'];
  if (typeof retries !== 'number' || typeof at !== 'number') return null;
  if (typeof code !== 'string' || typeof message !== 'string' || typeof hint !== 'string') return null;
  return { retries, failure: { at, code, message, hint } };
}

/** A walk that the command line limited, to whatever, does not count as the night's walk. */
function isWholeWalk(snapshot: Snapshot): boolean {
  return snapshot.scope === null && isSealed(snapshot);
}
