// A walk of named spaces or collections lists none of the collections that these stand in. Of one that the mirror does not hold yet, as
// that of a space which was moved meanwhile, the snapshot would name what it does not show: it is read by itself, with nothing below it.
import { addVisit, heldByKey } from '../../mirror/index.ts';
import { isOfNamed, organizationOf } from '../scope.ts';
import { take } from '../take.ts';
import type { Walk } from '../types.ts';
import { isWanted } from '../wanted.ts';
import { demandId } from './demand-id.ts';
import { keptBody, type Body } from './parts.ts';

const COLLECTION = 'collection';

/** Parameters of a `collection-above` visit. */
export interface CollectionAboveVisit {
  readonly key: string;
}

/** Adds the visit of what a space or a collection stands in, where nothing else of this walk reads it. Call inside a transaction. */
export function addCollectionAbove(walk: Walk, { parent }: Body): void {
  if (!isOfNamed(walk.scope) || !isWanted(walk, COLLECTION)) return;
  if (typeof parent !== 'string' || isCollectionHeld(walk, parent)) return;
  const visit: CollectionAboveVisit = { key: parent };
  addVisit(walk, { task: 'collection-above', params: { ...visit } });
}

/** Takes it in, and looks above it in turn. Null is one that is known meanwhile, or that is hidden from this token. Throws DM_BAD_RESPONSE for one without an id. */
export function takeCollectionAbove(walk: Walk, { key }: CollectionAboveVisit, body: Body | null): void {
  if (body === null || isCollectionHeld(walk, key)) return;
  takeAlone(walk, body);
  addCollectionAbove(walk, body);
}

/** Takes in a collection that was read by itself, with nothing below it. Throws DM_BAD_RESPONSE for one without an id. */
export function takeAlone(walk: Walk, body: Body): void {
  const params = { collectionId: demandId(COLLECTION, body, 'A collection') };
  const seen = { kind: COLLECTION, params, scope: organizationOf(walk, body) } as const;
  take(walk, { ...seen, body: keptBody(COLLECTION, body) });
}

/** True for a collection that stands in the mirror as one that was not ended. */
export function isCollectionHeld({ mirror }: Walk, key: string): boolean {
  return heldByKey(mirror, COLLECTION, key) !== undefined;
}
