// The order of the spaces in a collection, which only the collection's own listing tells. Whether it is that of the spaces which the
// walk has found, by whatever route, is looked at once all of them are known.
import { AppError } from '../base/index.ts';
import { addVisit, clearShortage, noteShortage, spacesByCollection, type PlacedSpaces } from '../mirror/index.ts';
import { recordFailure } from './failures.ts';
import { STAGES } from './order.ts';
import { isBelieved } from './shortage.ts';
import type { Walk } from './types.ts';

/** Parameters of an `order` visit: an organization of which every route has been walked. */
export interface OrderVisit {
  readonly rid: number;
  readonly key: string;
  /** What was not in order was listed once more. */
  readonly again?: boolean;
}

/** Lists those collections once more whose spaces are not in order; what their listings lack then is a failure. Call inside a transaction. */
export function takeOrder(walk: Walk, visit: OrderVisit): void {
  if (walk.scope.onlySpaces !== null || (walk.scope.onlyCollections ?? null) !== null) return;
  const collections = spacesByCollection(walk, visit.rid);
  const [lacking, whole] = partition(collections.filter(({ isListed }) => isListed));
  for (const { rid } of whole) clearShortage(walk.mirror, { scope: rid, kind: 'space' });
  if (visit.again === true) {
    for (const collection of lacking) doubt(walk, collection);
    return;
  }
  const wrong = new Set([...lacking, ...collections.filter((one) => !hasPlaces(one))]);
  for (const { rid, key } of wrong) addVisit(walk, { task: 'collection-spaces', params: { key, scope: rid } });
  if (wrong.size > 0) addVisit(walk, { task: 'order', stage: STAGES.orderAgain, params: { ...visit, again: true } });
}

function partition(listed: readonly PlacedSpaces[]): [lacking: PlacedSpaces[], whole: PlacedSpaces[]] {
  return [listed.filter(({ unlisted }) => unlisted > 0), listed.filter(({ unlisted }) => unlisted === 0)];
}

/** True when each space has a place of its own, from the first to the last. */
function hasPlaces({ spaces, places, highest }: PlacedSpaces): boolean {
  return places === spaces && highest === spaces - 1;
}

function doubt(walk: Walk, { rid: scope, key, spaces, unlisted: missing }: PlacedSpaces): void {
  const place = { scope, kind: 'space' } as const;
  if (isBelieved(walk, { ...place, missing })) return;
  noteShortage(walk, place, missing);
  const what = `The listing of collection ${key} was read twice without ${missing} of the ${spaces} spaces that are in it`;
  const hint = 'A walk half a day from now that finds no more takes it for how the platform lists (table shortages).';
  recordFailure(walk, { kind: 'space', resource: key, scope }, new AppError('DM_INCOMPLETE', what, { hint }));
}
