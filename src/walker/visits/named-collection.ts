// Collections that spaces and other collections stand in, and that no listing shows: each is asked for itself. A listing that leaves out
// what was never seen shows itself in no other way.
import { pathFor } from '../../contract/index.ts';
import { AppError, isRecord } from '../../base/index.ts';
import {
  addVisit,
  clearShortage,
  currentOf,
  noteShortage,
  spacesNaming,
  unknownCollections,
  type ListingPlace,
} from '../../mirror/index.ts';
import { recordFailure } from '../failures.ts';
import { isCollectionHeld } from './collections-above.ts';
import { takeItem } from './listing.ts';
import { isAway } from './named-space.ts';
import type { Body } from './parts.ts';
import { noteUnlistedAt } from './listed-otherwise.ts';
import { isBelieved, untilBelieved } from './shortage.ts';
import type { Walk } from '../types.ts';
import { isWanted } from '../wanted.ts';

const COLLECTION = 'collection';

/** An organization of which every route has been walked. */
interface Organization {
  readonly rid: number;
  readonly key: string;
}

/** Parameters of a `named-collection` visit. */
export interface NamedCollectionVisit {
  readonly key: string;
  /** Number of the organization whose listing lacks it. */
  readonly scope: number;
  readonly organization: string;
  /** Ids of the spaces that say that they stand in it. */
  readonly spaces: readonly string[];
}

/** Adds a visit for each that is not known to be hidden from this token. Call inside a transaction, when all spaces are known. */
export function lookForNamed(walk: Walk, { rid: scope, key: organization }: Organization): void {
  if (!isWanted(walk, COLLECTION)) return;
  const unknown = unknownCollections(walk.mirror, scope);
  if (unknown.length === 0) clearShortage(walk.mirror, hiddenIn(scope));
  if (unknown.length === 0 || isBelieved(walk, { ...hiddenIn(scope), missing: unknown.length })) return;
  noteShortage(walk, hiddenIn(scope), unknown.length);
  for (const { key, spaces } of unknown) addNamed(walk, { key, scope, organization, spaces });
}

function addNamed(walk: Walk, visit: NamedCollectionVisit): void {
  addVisit(walk, { task: 'named-collection', params: { ...visit } });
}

/** Where it is noted how many are named and not to be seen. */
function hiddenIn(scope: number): ListingPlace {
  return { scope, kind: `${COLLECTION}, named` };
}

/** Null for one that is known meanwhile, that has ended, or that is hidden from this token: it may see a space and not what that stands in. */
export async function readNamedCollection(
  walk: Walk,
  { key }: Pick<NamedCollectionVisit, 'key'>,
): Promise<Body | null> {
  if (isCollectionHeld(walk, key)) return null;
  const input = { path: pathFor('getCollection', { collectionId: key }) };
  try {
    const answer = await walk.client.callRaw('getCollection', input, { signal: walk.signal });
    return isRecord(answer) ? answer : {};
  } catch (error) {
    if (isAway(error)) return null;
    throw error;
  }
}

/** Takes in one that is there, with what lies below it: that its listing lacks it leaves the snapshot partial. Of one that has ended the spaces are asked. */
export function takeNamedCollection(walk: Walk, visit: NamedCollectionVisit, body: Body | null): void {
  if (isCollectionHeld(walk, visit.key)) return;
  if (body === null) return askSpacesIn(walk, visit);
  const { scope, organization } = visit;
  const rid = takeItem(walk, { kind: COLLECTION, scope, path: { organizationId: organization }, mark: null }, body);
  noteUnlistedAt(walk, { rid, kind: COLLECTION });
  const { parent } = body;
  // Where spaces name it too, that visit may be waiting already: this is the same one then.
  if (typeof parent === 'string' && !isCollectionHeld(walk, parent))
    addNamed(walk, { key: parent, scope, organization, spaces: spacesNaming(walk.mirror, scope, parent) });
  const what = `The listing of each collection below ${organization} lacks ${visit.key}, which is there and holds what was read`;
  const error = new AppError('DM_INCOMPLETE', what, { hint: untilBelieved('lists') });
  recordFailure(walk, { kind: COLLECTION, resource: organization, scope }, error);
}

/**
 * Spaces in a collection that has ended may have left it before: what shows them within something else leaves that out, and so each says
 * itself where it stands. One that never was seen is hidden from this token, with all its spaces in it.
 */
function askSpacesIn(walk: Walk, { key, spaces }: NamedCollectionVisit): void {
  if (currentOf(walk.mirror, COLLECTION, key) === undefined) return;
  for (const space of spaces) addVisit(walk, { task: 'space', params: { key: space } });
}
