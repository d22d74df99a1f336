// The pages and files of a revision's tree, compared one by one: what is unchanged is counted, what moved gets a visit.
import { AppError, isRecord, lazy } from '../../base/index.ts';
import { hasItems, isList, itemsOf } from '../../client/index.ts';
import { childKinds, kindOf, ownParameter, type KindName } from '../../contract/index.ts';
import {
  addVisit,
  clearShortage,
  countBelow,
  countKind,
  currentOf,
  doubtedMark,
  addResource,
  keyOf,
  move,
  noteShortage,
  reappear,
  setMark,
  type Current,
} from '../../mirror/index.ts';
import { addMissingDocuments, countDocuments, endDocuments, renewDocuments } from './documents.ts';
import { recordFailure, undocumented } from '../failures.ts';
import { entryMark, isSameFile } from './file-mark.ts';
import { countedBefore, isCounted, wasInTree } from './counted.ts';
import { absentAfter } from './missing.ts';
import { placeOf } from '../order.ts';
import { otherThanId } from './demand-id.ts';
import { idIn, keptBody, madeId, type Body } from './parts.ts';
import { hasText, hidesEdits, isShared, isUntold, tellsEdits, tellsOfText, tellsTexts } from './page-text.ts';
import { isBelieved, untilBelieved } from './shortage.ts';
import { reuse } from './reuse.ts';
import { isComputedOfSettled, stageOfRequest } from './settled.ts';
import { sharingOf, type Sharing } from './shared-tree.ts';
import type { Part } from './tree-outline.ts';
import { take } from '../take.ts';
import type { Walk } from '../types.ts';
import { isWanted } from '../wanted.ts';

/** A page or file of a tree, on its way into the mirror. */
export interface Entry {
  readonly kind: KindName;
  readonly params: Readonly<Record<string, string>>;
  /** Number of the revision's resource. */
  readonly scope: number;
  readonly entry: Body;
  readonly parent: number | null;
  readonly position: number | null;
  /** Hash of the entry without what lies below it and without its volatile fields. */
  readonly mark: string;
  /** What of it, and of what stands beside it, an earlier reading of its tree has counted in this walk. */
  readonly counted?: readonly KindName[];
}

/** Kinds that are parts of a revision and that this walk visits. */
export function partsOf(walk: Pick<Walk, 'wanted'>, revisionKind: KindName): KindName[] {
  return childKinds(revisionKind).filter((name) => kindOf(name).read.from === 'part' && isWanted(walk, name));
}

interface Place {
  readonly entry: Body;
  readonly parent: number | null;
  readonly position: number | null;
}

/** Takes in all entries of one kind; what the tree no longer has is asked for directly. */
export function takePart(walk: Walk, part: Part, body: Body): void {
  const { read } = kindOf(part.kind);
  if (read.from !== 'part') return;
  if (!isWhole(walk, part, body[read.field])) return;
  const seen = new Set<number>();
  const sharing = sharingOf(walk, part, body[read.field]);
  const refused = new Map<string, number>();
  const tells = lazy(() => tellsTexts(body[read.field]));
  const edits = lazy(() => tellsEdits(body[read.field]));
  const hides = (entry: Body): boolean => kindOf(part.kind).text !== undefined && hidesEdits(entry, edits);
  const taking = { ...part, seen, sharing, refused, tells, hides };
  const levels: { entries: unknown; parent: number | null }[] = [{ entries: body[read.field], parent: null }];
  for (const level of levels) {
    let next = 0;
    for (const entry of itemsOf(level.entries)) {
      const place = {
        entry: isRecord(entry) ? entry : {},
        parent: level.parent,
        position: read.nested ? next++ : null,
      };
      const own = takeEntry(walk, taking, place);
      if (own === null) continue;
      seen.add(own);
      const below = read.nested === undefined ? undefined : place.entry[read.nested];
      if (hasItems(below)) levels.push({ entries: below, parent: own });
      else if (below !== undefined && !isList(below))
        refuseEntry(walk, taking, { entry: place.entry, what: 'holds others that are no list' });
    }
  }
  sharing.end();
  absentAfter(walk, {
    kind: part.kind,
    scope: part.revision,
    path: part.params,
    mark: null,
    seen,
    wasCounted: (one) => wasInTree(part, one),
  });
}

/**
 * True for a list, and for one that is left out where none are held. Where some are, nothing says that those are gone, until it has been
 * left out for half a day: a platform may leave out each that is empty.
 */
function isWhole(walk: Walk, { kind, params, revision: scope }: Part, said: unknown): boolean {
  const place = { scope, kind: `${kind}, left out` };
  const missing = isList(said) ? 0 : countBelow(walk.mirror, scope, kind);
  if (missing === 0) clearShortage(walk.mirror, place);
  if (isList(said)) return true;
  const isLeftOut = said === undefined || said === null;
  if (isLeftOut && (missing === 0 || isBelieved(walk, { ...place, missing }))) return true;
  if (isLeftOut) noteShortage(walk, place, missing);
  const what = `The revision has no list of each ${kind}, of which the mirror holds ${missing}`;
  const error = isLeftOut ? new AppError('DM_INCOMPLETE', what, { hint: untilBelieved('lists') }) : undocumented(what);
  recordFailure(walk, { kind, resource: `${Object.values(params).join('/')}/*`, scope }, error);
  return false;
}

interface Taking extends Part {
  readonly sharing: Sharing;
  /** Numbers of what the tree has shown so far. */
  readonly seen: ReadonlySet<number>;
  /** How many entries that cannot be taken in have had the same name so far. */
  readonly refused: Map<string, number>;
  /** Whether the tree tells which pages have a text. */
  readonly tells: () => boolean;
  /** Whether an entry is a page whose text may be another one while the tree tells of it as before. */
  readonly hides: (entry: Body) => boolean;
}

/** The number of the resource; null for an entry that says not who it is, or stands in the tree for the second time. */
function takeEntry(walk: Walk, part: Taking, place: Place): number | null {
  const { kind, revision: scope } = part;
  const id = idIn(kind, place.entry);
  const refuse = (what: string): null => refuseEntry(walk, part, { entry: place.entry, what });
  if (id === undefined) return refuse(`has ${otherThanId(kind, place.entry)}`);
  const shared = part.sharing.of(id);
  if (shared !== undefined) return takeShared(part, shared, place);
  const params = { ...part.params, [ownParameter(kind)]: id };
  const known = currentOf(walk.mirror, kind, keyOf(kind, params));
  const rid = known?.rid ?? addResource(walk.mirror, { kind, params, scope });
  // Below itself it would have no end.
  if (part.seen.has(rid)) return refuse('stands twice in the tree');
  const entry = withoutParts(kind, place.entry);
  const mark = entryMark(kind, entry);
  const counted = countedBefore(part, keyOf(kind, params), known);
  const seen: Entry = { kind, params, scope, ...place, entry, mark, ...(counted.length > 0 ? { counted } : {}) };
  const isSame = known !== undefined && isUnchanged(walk, known, { ...seen, isReadAgain: part.again });
  const isHidden = part.hides(entry);
  const isDoubtful = isHidden && part.stands !== true && !isComputedOfSettled(walk, params, entry);
  if (isSame && !isDoubtful && !isReadAnyway(walk, kind, keyOf(kind, params))) takeUnchanged(walk, seen, known);
  else takeMoved(walk, seen, { isAsked: asksForText(part, known, entry), isHidden });
  return rid;
}

/** A full walk reads everything. What it could not read has a mark that stands still, and is asked for until it was read. */
function isReadAnyway({ mode, unread }: Walk, kind: KindName, key: string): boolean {
  return mode === 'full' || unread.isEntry(kind, key);
}

/** What the space shows in the same place stands for an entry of a change request that is settled. */
function takeShared({ kind, sharing }: Taking, rid: number, { entry, parent, position }: Place): number {
  sharing.take(withoutParts(kind, entry), { rid, parent, position });
  return rid;
}

/** True for what the tree tells of as it is held, a page that was of a later revision than the tree before included. */
function isUnchanged(walk: Walk, known: Current, seen: Entry & { readonly isReadAgain: boolean }): boolean {
  const { mark, isReadAgain } = seen;
  // As odd a place as on an earlier night is how the platform shows it; one that is new is looked at again.
  if (known.mark === doubtedMark('place', mark)) return !isReadAgain || known.valid_from !== walk.id;
  return known.mark === mark || known.mark === doubtedMark('text', mark) || isSameFile(walk.mirror, known, seen);
}

interface Odd {
  readonly entry: Body;
  /** What is wrong with it. */
  readonly what: string;
}

/** Each has a name of its own, which it keeps from night to night: what is accepted of one is not said of another. */
function refuseEntry(walk: Walk, { kind, params, revision: scope, refused }: Taking, { entry, what }: Odd): null {
  const { id: said, title, name } = entry;
  const resource = `${Object.values(params).join('/')}/?${madeId(kind, { said, title, name, what }, refused)}`;
  recordFailure(walk, { kind, resource, scope }, undocumented(`A ${kind} of the revision ${what}`));
  return null;
}

/** A tree may be of thousands of pages: an entry goes on without those below it. */
function withoutParts(kind: KindName, entry: Body): Body {
  const { read } = kindOf(kind);
  if (read.from !== 'part' || read.nested === undefined || entry[read.nested] === undefined) return entry;
  const { [read.nested]: _below, ...own } = entry;
  return own;
}

/** A text that was held is gone, and one is not there, only where a tree that tells of texts, or the page itself, says so. */
function asksForText({ tells }: Taking, known: Current | undefined, entry: Body): boolean {
  return hasText(entry) || (isUntold(entry) && (typeof known?.text === 'number' || !tells()));
}

interface Asked {
  /** Whether it has a text to be read. */
  readonly isAsked: boolean;
  /** Whether what another page of this id shows proves nothing of that text, however alike they are in their trees. */
  readonly isHidden: boolean;
}

function takeMoved(walk: Walk, seen: Entry, { isAsked, isHidden }: Asked): void {
  const { text, bytes } = kindOf(seen.kind);
  const task = text && isAsked ? 'page' : bytes ? 'file' : null;
  const { entry, ...place } = seen;
  if (task === null) {
    take(walk, { ...place, again: isCounted(seen), body: keptBody(seen.kind, entry), ...(text ? { text: null } : {}) });
    endDocuments(walk, seen);
    return;
  }
  const reused = isHidden ? null : reuse(walk, seen);
  if (reused !== null) {
    // Ended, where the text is that of the space.
    return renewDocuments(walk, { ...seen, rid: reused, text: entry['documentId'], wasSame: false });
  }
  addVisit(walk, {
    task,
    stage: stageOfRequest(walk, seen.params),
    params: { ...seen },
    place: placeOf(walk, seen.params),
  });
}

function takeUnchanged(walk: Walk, seen: Entry, known: Current): void {
  const again = isCounted(seen);
  reappear(walk.mirror, known.rid);
  const isOdd = known.mark === doubtedMark('place', seen.mark);
  if (known.mark !== seen.mark && !isOdd) setMark(walk.mirror, known.rid, seen.mark);
  const moved = seen.position !== null && (known.parent !== seen.parent || known.position !== seen.position);
  if (moved) move(walk, known, { parent: seen.parent, position: seen.position ?? 0 });
  const { kind, params } = seen;
  const isOwn = !isShared(walk.mirror, seen);
  if ((tellsOfText(seen.entry) || known.text !== null) && isOwn)
    addMissingDocuments(walk, { kind, params, rid: known.rid });
  // When the tree is read once more, they are counted already, and ended with the other trees of change requests.
  if (!isOwn && !again) endDocuments(walk, seen);
  if (known.valid_from === walk.id || (again && !moved)) return;
  // When the tree is read once more, it was counted as unchanged by the first reading.
  if (again) return countKind(walk, seen.kind, { unchanged: -1, changed: 1 });
  countDocuments(walk, seen);
  countKind(walk, seen.kind, moved ? { seen: 1, changed: 1 } : { seen: 1, unchanged: 1 });
}
