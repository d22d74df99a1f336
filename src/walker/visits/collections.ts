// Collections as a way to spaces, and the walk that is limited to some of them.
import { isRecord } from '../../base/index.ts';
import { addVisit, isShownByMember, readMark, setReadMark } from '../../mirror/index.ts';
import { isDue } from './children.ts';
import { addCollectionAbove, isCollectionHeld } from './collections-above.ts';
import { demandId, demandSame } from './demand-id.ts';
import { isCountKnown, noteOwnCount } from './own-count.ts';
import { eachOnce, keptBody, type Body } from './parts.ts';
import { seeSpace } from './spaces.ts';
import { readToEnd, type Listed } from '../read-to-end.ts';
import { organizationOf } from '../scope.ts';
import { take } from '../take.ts';
import type { Walk } from '../types.ts';
import { isWanted } from '../wanted.ts';

/** Parameters of a `collection` visit: one that a limited walk was told of. */
export interface CollectionVisit {
  readonly key: string;
}

/** Parameters of a `collection-spaces` visit. */
export interface CollectionSpacesVisit {
  readonly key: string;
  /** Number of the collection. */
  readonly scope: number;
}

/** A collection that was just seen. */
interface Seen {
  readonly rid: number;
  readonly key: string;
}

/**
 * Adds the visit of a collection's spaces, unless it holds some and a member's listing showed all of them the last time: that
 * listing is read every night and shows a new space too, so this one waits for its turn on the rota. An empty collection is asked.
 */
export function visitCollection(walk: Walk, collection: Seen, isShown?: (collection: string) => boolean): void {
  if (!isWanted(walk, 'space') || !isListedTonight(walk, collection, isShown)) return;
  const visit: CollectionSpacesVisit = { key: collection.key, scope: collection.rid };
  addVisit(walk, { task: 'collection-spaces', params: { ...visit } });
}

/** True when this night's walk lists the spaces of a collection; `isShown` tells whether members' listings show them. */
export function isListedTonight(
  walk: Pick<Walk, 'mirror' | 'mode' | 'id' | 'settings'>,
  { rid, key }: Seen,
  isShown: (collection: string) => boolean = (collection) => isShownByMember(walk.mirror, collection),
): boolean {
  if (walk.mode === 'full') return true;
  const known = readMark(walk.mirror, rid, 'space');
  if (known === undefined || isDue(walk, { kind: 'collection', key }, known)) return true;
  return !isShown(key);
}

/** Takes in the spaces of a collection whose listing was read to its end: that alone tells their order. */
export function takeCollectionSpaces(walk: Walk, { key, scope }: CollectionSpacesVisit, listed: Listed): void {
  for (const [position, space] of [...eachOnce('space', listed.items)].entries())
    seeSpace(walk, space, { route: 'collection', position });
  setReadMark(walk, { scope, kind: 'space', mark: '' });
  // Last: a failure takes the mark back.
  noteOwnCount(walk, { kind: 'space', resource: key, scope }, listed);
}

/** The spaces of one collection, to the end of the listing. */
export function readCollectionSpaces(walk: Walk, { key: collectionId, scope }: CollectionSpacesVisit): Promise<Listed> {
  const isCountIgnored = isCountKnown(walk, { scope, kind: 'space' });
  return readToEnd({ ...walk, isCountIgnored }, 'listCollectionSpaces', { path: { collectionId } });
}

/** A collection with those in it, and the listing by which they were found; none where the collection names no organization. */
interface Nested {
  readonly collections: readonly Body[];
  readonly listed: Listed | null;
}

/** The collection and all that are nested in it, each once. */
export async function readCollection(walk: Walk, { key }: CollectionVisit): Promise<Nested> {
  const answer = await walk.client.callRaw('getCollection', { path: { collectionId: key } }, { signal: walk.signal });
  const root = isRecord(answer) ? answer : {};
  if (isCollectionHeld(walk, key)) demandSame({ kind: 'collection', params: { collectionId: key } }, root);
  const organizationId = root['organization'];
  if (typeof organizationId !== 'string') return { collections: [root], listed: null };
  const listed = await readToEnd(walk, 'listCollections', { path: { organizationId } });
  return { collections: [root, ...nestedIn(key, [...eachOnce('collection', listed.items)])], listed };
}

function nestedIn(key: string, all: readonly Body[]): Body[] {
  const direct = all.filter((one) => one['parent'] === key);
  // Collections that are said to stand inside each other are taken once, where they are come to first.
  const others = all.filter((one) => one['parent'] !== key && one['id'] !== key);
  return direct.flatMap((one) => [one, ...(typeof one['id'] === 'string' ? nestedIn(one['id'], others) : [])]);
}

/** Takes in the collections and adds a visit for the spaces of each. What is not among them is not missing: it was not asked for. */
export function takeCollection(walk: Walk, _visit: CollectionVisit, { collections, listed }: Nested): void {
  const { organization } = collections[0] ?? {};
  if (listed !== null && typeof organization === 'string') {
    const scope = organizationOf(walk, { organization });
    noteOwnCount(walk, { kind: 'collection', resource: organization, scope }, listed);
  }
  for (const body of collections) {
    const id = demandId('collection', body, 'A collection');
    const params = { collectionId: id };
    const { rid } = take(walk, {
      kind: 'collection',
      params,
      scope: organizationOf(walk, body),
      body: keptBody('collection', body),
    });
    const visit: CollectionSpacesVisit = { key: id, scope: rid };
    addVisit(walk, { task: 'collection-spaces', params: { ...visit } });
  }
  for (const body of collections) addCollectionAbove(walk, body);
}
