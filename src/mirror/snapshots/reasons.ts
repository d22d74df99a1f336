// Why a snapshot is not complete: one sentence for each thing, kept as one text beside its state.
import type { SnapshotRow } from '../database/tables.ts';
import type { Shrunk } from '../observe/shrunk.ts';

const BETWEEN = '; ';
const SHRUNK = 'scope shrank';

/** As they are kept; null where there is none. */
export function joinReasons(reasons: readonly string[]): string | null {
  return reasons.length === 0 ? null : reasons.join(BETWEEN);
}

/** The reasons of a snapshot, one by one. */
export function reasonsOf({ reason }: Pick<SnapshotRow, 'reason'>): string[] {
  return reason === null || reason === '' ? [] : reason.split(BETWEEN);
}

export function shrunkReason({ kind, key, lost }: Shrunk): string {
  return `${SHRUNK}: no ${lost.join(', ')} on ${kind} ${key}`;
}

/** True for a reason that tells of a right that the token lost. */
export function isOfRights(reason: string): boolean {
  return reason.startsWith(SHRUNK);
}
