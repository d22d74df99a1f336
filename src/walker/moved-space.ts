// What a walk asks of a space that has moved, told by what the mirror knows of those that moved in a night of the past.
import { childKinds, kindOf, type KindName } from '../contract/index.ts';
import { bodyOf, changedIn, countBelow, resourceByNumber, scopesBegun, type Mirror } from '../mirror/index.ts';
import { isNone, isThoughtAbsent } from './visits/children.ts';
import { passesOf } from './visits/passes.ts';
import type { WalkSettings } from './types.ts';

type Known = {
  readonly mirror: Mirror;
  /** Number that the snapshot will have. */
  readonly id: number;
  readonly settings: Pick<WalkSettings, 'pageSize' | 'rereadNights'>;
};

/** Kinds whose listing below a space is read when that has moved. */
const MOVING: readonly KindName[] = childKinds('space').filter((kind) => kindOf(kind).movesWith !== undefined);

/** Requests that one moved space takes, on average over those that moved in that night: its listings, and the second look at its revision. */
export function requestsOfMovedSpace(known: Known, night: number): number {
  const listings = scopesBegun(known.mirror, night, 'revision').flatMap((space) => listingsOf(known, space) ?? []);
  if (listings.length === 0) return 0;
  const usual = listings.reduce((sum, one) => sum + one, 0) / listings.length;
  // Of those whose turn it is on the rota the listings are read anyway.
  return usual * (1 - 1 / known.settings.rereadNights) + 1;
}

/** Kinds that are read though the revision stands still: what people say moves counters and times of its space alone. */
const TOUCHED = MOVING.filter((kind) => kindOf(kind).movesWith?.includes('revision') !== true);

/** Requests of the spaces together that have changed in that night, and whose revision stood still. */
export function requestsOfTouchedSpaces(known: Known, night: number): number {
  const moved = new Set(scopesBegun(known.mirror, night, 'revision'));
  const touched = changedIn(known.mirror, night, 'space').filter((space) => !moved.has(space));
  const listings = touched.reduce((sum, space) => sum + (listingsOf(known, space, TOUCHED) ?? 0), 0);
  return listings * (1 - 1 / known.settings.rereadNights);
}

/** Undefined for a space that is gone. */
function listingsOf({ mirror, id, settings }: Known, space: number, kinds = MOVING): number | undefined {
  const body = bodyOf(mirror, space);
  const key = resourceByNumber(mirror, space)?.key;
  if (body === undefined || key === undefined) return undefined;
  const parent = { rid: space, key, body };
  const asked = kinds.filter(
    (kind) => !isNone({ mirror, mode: 'incremental' }, parent, kind) && !isThoughtAbsent({ mirror, id }, parent, kind),
  );
  return asked.reduce((sum, kind) => {
    const further = Math.ceil(countBelow(mirror, space, kind) / settings.pageSize) - 1;
    const isListed = kindOf(kind).read.from === 'list';
    return sum + passesOf(mirror, { kind, scope: space }).length + (isListed ? Math.max(0, further) : 0);
  }, 0);
}
