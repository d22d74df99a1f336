// The snapshot of a limited walk shows the whole mirror, although the walk asked for a part of it. Outside of that part, what earlier
// walks failed to read is still unread, and what a walk that was given up left half read is of two states: both are failures of the
// limited walk too.
import { isCopy, isInSpace, isKindName, kindOf, spaceOf, type KindName } from '../contract/index.ts';
import {
  askForCopy,
  bodyOf,
  countKind,
  countsOf,
  currentOf,
  failedKeys,
  failuresOf,
  heldByKey,
  lastSealed,
  listSnapshots,
  noteFailure,
  originalOf,
  readMark,
  unsettledAbsences,
  wasRouted,
  type FailedPlace,
  type Failure,
} from '../mirror/index.ts';
import { wasPutOff } from './put-off.ts';
import { isInside, isOfNamed, scopeText } from './scope.ts';
import type { Walk } from './types.ts';
import { isWanted } from './wanted.ts';

/** Takes over what is not read yet and this walk did not ask for. Before a limited walk is sealed; once more where that was cut off. */
export function carryUnread(walk: Walk): void {
  if (scopeText(walk) === null) return;
  walk.mirror.store.transaction(() => {
    for (const [snapshot, failure] of unreadBefore(walk))
      if (!isAskedFor(walk, failure)) noteFailure(walk, { ...failure, error: since(failure.error, snapshot) });
    countAbsences(walk);
  });
}

/**
 * Takes over what trees list that this walk should have read and did not, as it was ended or an answer above failed: their entries have
 * marks that stand still, and nothing else has the next walk ask for them. Before a walk is sealed, and after `carryPutOff`.
 */
export function carryUnreadTrees(walk: Walk): void {
  walk.mirror.store.transaction(() => {
    const own = failuresOf(walk.mirror, walk.id).filter(({ error }) => !error.includes(SINCE));
    const now: FailedNow = { places: new Set(own.map(placeIn)), trees: new Set(own.filter(isInTree).map(nameOfTree)) };
    for (const [snapshot, failure] of unreadBefore(walk))
      if (isInTree(failure) && isTreeUnread(walk, failure, now))
        noteFailure(walk, { ...failure, error: since(failure.error, snapshot) });
  });
}

type InTree = Failure & { readonly kind: KindName };

/** What this walk itself could not read; of visits that were not made, those of one tree are one place. */
interface FailedNow {
  readonly places: ReadonlySet<string>;
  /** Trees that showed something of it, in whichever run of the walk. */
  readonly trees: ReadonlySet<string>;
}

/** True for one thing that a tree lists, or that stands beside such a thing. */
function isInTree(failure: Failure): failure is InTree {
  if (!isKindName(failure.kind) || failure.resource.endsWith('/*')) return false;
  const { from } = kindOf(failure.kind).read;
  return from === 'part' || from === 'beside';
}

/** The tree that lists it. */
function treeOf({ kind, resource }: InTree): { readonly kind: KindName; readonly key: string } {
  const [space = '', request = ''] = resource.split('/');
  return isCopy(kind)
    ? { kind: 'change-request-revision', key: `${space}/${request}` }
    : { kind: 'revision', key: space };
}

function nameOfTree(failure: InTree): string {
  const { kind, key } = treeOf(failure);
  return `${kind} ${key}`;
}

function isTreeUnread(walk: Walk, failure: InTree, now: FailedNow): boolean {
  const { kind, resource } = failure;
  // Of organizations that the configuration names no more; what a limited walk did not ask for was taken over as such.
  if (!isInside(walk, spaceOf(kind, resource) ?? '')) return false;
  const tree = treeOf(failure);
  const held = heldByKey(walk.mirror, tree.kind, tree.key);
  if (held === undefined || held.scope === null) return false;
  if (readMark(walk.mirror, held.scope, tree.kind) !== undefined) return false;
  const isRead = walk.treesRead.has(held.rid) || now.trees.has(nameOfTree(failure));
  return !isRead || now.places.has(placeIn({ kind, resource: `${tree.key}/*` }));
}

/**
 * Takes over what was put off and this walk did not ask for; once that of which it is a copy was read, the next walk asks for it. Before
 * a walk is sealed; once more where that was cut off.
 */
export function carryPutOff(walk: Walk): void {
  walk.mirror.store.transaction(() => {
    const still = new Set(failedKeys(walk.mirror, walk.id).map(placeIn));
    const before = unreadBefore(walk);
    const isRead = new Set(before.map(([, failure]) => placeIn(failure)).filter((place) => !still.has(place)));
    for (const [snapshot, failure] of before) {
      if (!wasPutOff(walk, failure, snapshot)) continue;
      noteFailure(walk, { ...failure, error: since(failure.error, snapshot) });
      const original = originalOf(failure);
      if (original !== null && isRead.has(placeIn(original))) askForCopy(walk.mirror, failure);
    }
  });
}

function placeIn({ kind, resource }: FailedPlace): string {
  return `${kind} ${resource}`;
}

/** Counts everything that is missing or out of reach, also where this walk did not ask. */
function countAbsences(walk: Walk): void {
  const counts = countsOf(walk.mirror, walk.id);
  for (const { kind, counted, amount } of unsettledAbsences(walk.mirror)) {
    const lacking = amount - (counts[kind]?.[counted] ?? 0);
    if (lacking > 0) countKind(walk, kind, { [counted]: lacking });
  }
}

/** Failures of earlier snapshots, each once with the number of its snapshot, without those that this one has as well. */
function unreadBefore({ mirror, id }: Walk): [number, Failure][] {
  const sealed = lastSealed(mirror)?.id ?? 0;
  const earlier = listSnapshots(mirror).filter(
    (one) => one.id === sealed || (one.id > sealed && one.id < id && one.state === 'abandoned'),
  );
  const found = new Map<string, [number, Failure]>();
  for (const one of earlier)
    for (const failure of failuresOf(mirror, one.id)) found.set(nameOf(failure), [one.id, failure]);
  for (const failure of failuresOf(mirror, id)) found.delete(nameOf(failure));
  return [...found.values()];
}

function nameOf({ kind, resource, request }: Failure): string {
  return `${kind} ${resource} ${request}`;
}

const SINCE = '; not asked for again since snapshot ';

function since(error: string, snapshot: number): string {
  return error.includes(SINCE) ? error : `${error}${SINCE}${snapshot}`;
}

/** True for what lies within the limits of this walk: it was read by it, or its own failures name it. */
function isAskedFor(walk: Walk, { kind, resource }: Pick<Failure, 'kind' | 'resource'>): boolean {
  if (!isKindName(kind) || !isWanted(walk, kind)) return false;
  const [first = ''] = resource.split('/');
  if (isInSpace(kind)) {
    const space = currentOf(walk.mirror, 'space', first);
    if (space !== undefined) return wasRouted(walk, space.rid);
  }
  // One above what is named, which nobody held.
  if (kind === 'collection' && currentOf(walk.mirror, kind, first)?.valid_from === walk.id) return true;
  const { onlyCollections, organizations } = walk.scope;
  if (onlyCollections?.includes(first) === true) return true;
  if (isOfNamed(walk.scope)) return false;
  return organizations === null || organizations.includes(organizationKeyOf(walk, kind, first));
}

function organizationKeyOf({ mirror }: Walk, kind: KindName, first: string): string {
  if (kindOf(kind).params[0] !== 'collectionId' && kind !== 'space') return first;
  const collection = currentOf(mirror, 'collection', first);
  const { organization } = (collection && bodyOf(mirror, collection.rid)) ?? {};
  return typeof organization === 'string' ? organization : first;
}
