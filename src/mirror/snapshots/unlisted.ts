// A snapshot that lacks nothing but what a listing shows no more and what cannot be asked for by itself: whether that is gone, another
// walk tells.
import { isKindName, parentKind } from '../../contract/index.ts';
import type { SnapshotRow } from '../database/tables.ts';
import type { KindCounts } from '../observe/counts.ts';
import { isOfRights, reasonsOf } from './reasons.ts';

/**
 * True where a walk soon after may complete it, but for what was accepted. Not of what organizations consist of: what a token
 * that lost its place is shown is the same an hour later.
 */
export function isOnlyUnlisted(
  { state, reason }: Pick<SnapshotRow, 'state' | 'reason'>,
  kinds: Readonly<Record<string, KindCounts>>,
  isLackAccepted: boolean,
): boolean {
  if (state !== 'partial' || reasonsOf({ reason }).some(isOfRights)) return false;
  const all = Object.entries(kinds);
  const isMore = all.some(([, { failed, unreachable }]) => failed + unreachable > 0 && !isLackAccepted);
  const unlisted = all.filter(([, { missing }]) => missing > 0);
  return !isMore && unlisted.length > 0 && unlisted.every(([kind]) => isBelow(kind));
}

function isBelow(kind: string): boolean {
  const parent = isKindName(kind) ? parentKind(kind) : null;
  return parent !== null && parent !== 'organization';
}
