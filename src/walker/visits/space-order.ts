// The order of the spaces in a collection, which only the collection's own listing tells. Whether it is that of the spaces which the
// walk has found, by whatever route, is looked at once all of them are known.
import { AppError } from '../../base/index.ts';
import { addVisit, clearShortage, noteShortage, spacesByCollection, type PlacedSpaces } from '../../mirror/index.ts';
import { recordFailure } from '../failures.ts';
import { STAGES } from '../order.ts';
import { isBelieved, untilBelieved } from './shortage.ts';
import type { Walk } from '../types.ts';

/** Parameters of an `order` visit: an organization of which every route has been walked. */
export interface OrderVisit {
  readonly rid: number;
  readonly key: string;
  /** What was not in order was listed once more. */
  readonly again?: boolean;
}

/** Lists those collections once more whose spaces are not in order; what their listings lack then is a failure. Call inside a transaction. */
export function takeOrder(walk: Walk, visit: OrderVisit): void {
  const wrong = spacesByCollection(walk, visit.rid).filter((collection) => !isInOrder(walk, collection));
  if (visit.again === true) {
    for (const collection of wrong) doubt(walk, collection);
    return;
  }
  for (const { rid, key } of wrong) addVisit(walk, { task: 'collection-spaces', params: { key, scope: rid } });
  if (wrong.length > 0) addVisit(walk, { task: 'order', stage: STAGES.orderAgain, params: { ...visit, again: true } });
}

/** True when each space has a place of its own, from the first to the last, or what is amiss is how the platform lists. */
function isInOrder(walk: Walk, collection: PlacedSpaces): boolean {
  const place = { scope: collection.rid, kind: 'space' } as const;
  const missing = lackingOf(collection) + gapsOf(collection);
  if (missing > 0) return isBelieved(walk, { ...place, missing });
  if (collection.isListed) clearShortage(walk.mirror, place);
  return true;
}

/** Spaces that the listing lacks, or that have the place of another. */
function lackingOf({ spaces, places, unlisted, isListed }: PlacedSpaces): number {
  return Math.max(spaces - places, isListed ? unlisted : 0);
}

/** Places between them at which no space of this collection stands. */
function gapsOf({ places, highest }: PlacedSpaces): number {
  return Math.max(0, (highest ?? -1) + 1 - places);
}

// Where only places stay empty, the listing shows more than the spaces of this collection: that alters nothing of their order.
function doubt(walk: Walk, collection: PlacedSpaces): void {
  const { rid: scope, key, spaces } = collection;
  const lacking = lackingOf(collection);
  noteShortage(walk, { scope, kind: 'space' }, lacking + gapsOf(collection));
  if (lacking === 0) return;
  const what = `The listing of collection ${key} lacks ${lacking} of the ${spaces} spaces that are in it, or gives them the place of others`;
  recordFailure(
    walk,
    { kind: 'space', resource: key, scope },
    new AppError('DM_INCOMPLETE', what, { hint: untilBelieved('lists') }),
  );
}
