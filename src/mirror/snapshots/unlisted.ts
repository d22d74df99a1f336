// A snapshot that lacks nothing but what a listing shows no more and what cannot be asked for by itself: whether that is gone, another
// walk tells.
import { isKindName, parentKind } from '../../contract/index.ts';
import type { SnapshotRow } from '../database/tables.ts';
import type { KindCounts } from '../observe/counts.ts';
import { isOfRights, reasonsOf } from './reasons.ts';

/**
 * True where a walk soon after may complete it. Not of what organizations consist of: what a token that lost its place is shown is the
 * same an hour later.
 */
export function isOnlyUnlisted(
  { state, reason }: Pick<SnapshotRow, 'state' | 'reason'>,
  kinds: Readonly<Record<string, KindCounts>>,
): boolean {
  if (state !== 'partial' || reasonsOf({ reason }).some(isOfRights)) return false;
  const lacking = Object.entries(kinds).filter(([, counts]) => counts.failed + counts.unreachable + counts.missing > 0);
  return (
    lacking.length > 0 &&
    lacking.every(([kind, { failed, unreachable }]) => failed + unreachable === 0 && isBelow(kind))
  );
}

function isBelow(kind: string): boolean {
  const parent = isKindName(kind) ? parentKind(kind) : null;
  return parent !== null && parent !== 'organization';
}
