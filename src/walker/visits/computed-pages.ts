// Once all is read: where a specification has another version, the pages that are computed from it have another text, although the
// revisions that show them stand still. Their trees are read in the same walk, and tell which pages moved; those of spaces that it did not
// come by are read in the next.
import { isUnderWay } from '../../contract/index.ts';
import {
  bodyOf,
  currentOf,
  lastSealed,
  noteCaughtUp,
  openedSnapshot,
  readMark,
  resourceByNumber,
  revisionsShowing,
  caughtUpTo,
  specsMovedSince,
  wasRouted,
  type NumberedResource,
  type Showing,
} from '../../mirror/index.ts';
import { movingMark } from './children.ts';
import { leaveUnmoved, readAgain } from './read-again.ts';
import type { Walk } from '../types.ts';

/** Adds a visit for each space, and each change request that is neither merged nor archived, that shows what has moved. */
export function takeComputedPages(walk: Walk): void {
  const { mirror } = walk;
  // A limited walk sees no specifications, and leaves this to one of everything.
  if (openedSnapshot(mirror)?.scope !== null) return;
  const sealed = lastSealed(mirror);
  // A walk that was given up may have caught up on what it did not come to read.
  const since = Math.min(caughtUpTo(mirror, 'computed_pages') ?? Infinity, sealed?.id ?? Infinity);
  noteCaughtUp(walk, 'computed_pages');
  if (sealed === undefined) return;
  for (const [organization, specs] of specsMovedSince(mirror, since))
    for (const { kind, scope } of revisionsShowing(mirror, organization, specs)) {
      const holder = resourceByNumber(mirror, scope);
      if (holder === undefined || !isLookedAt(walk, holder)) continue;
      if (!hasComeBy(walk, holder)) leaveUnmoved(walk, kind, holder);
      else if (isUnread(walk, { kind, scope }))
        readAgain(walk, kind, { holder, mark: movingMark(kind, bodyOf(mirror, scope) ?? {}) ?? '' });
    }
}

/** True for a revision that this walk took for unchanged; one that it could not read has no mark any more, and is read by the next. */
function isUnread({ mirror, id }: Walk, { kind, scope }: Showing): boolean {
  const known = readMark(mirror, scope, kind);
  return known !== undefined && known.snapshot !== id;
}

/** False for a change request that is settled. */
function isLookedAt({ mirror }: Walk, { kind, rid }: NumberedResource): boolean {
  return kind !== 'change-request' || isUnderWay(bodyOf(mirror, rid)?.['status']);
}

/** True for what stands in a space that this walk came by. */
function hasComeBy(walk: Walk, { params }: NumberedResource): boolean {
  const space = currentOf(walk.mirror, 'space', params['spaceId'] ?? '');
  return space !== undefined && wasRouted(walk, space.rid);
}
