// The tree of a settled change request, merged or archived, of which nothing will ever be edited: what it shows as its space does, or as
// another request of it, is noted as that of the space, and only what differs becomes a resource of its own.
import { createHash } from 'node:crypto';
import { ownParameter, type KindName } from '../../contract/index.ts';
import {
  countKind,
  currentOf,
  damagedShared,
  endSharedTree,
  heldByKey,
  isSharedKind,
  keyOf,
  lacksSharedTrees,
  lapse,
  reappear,
  SHARED_KINDS,
  sharedEntries,
  sharedTree,
  shareTree,
  unshare,
  withdrawEnd,
  type HeldTree,
  type KindCounts,
  type MadeOwn,
  type NewEntry,
  type SharedEntry,
  type SharedKind,
  type TreePart,
} from '../../mirror/index.ts';
import { countedBefore } from './counted.ts';
import { endDocuments } from './documents.ts';
import { entryMark, setOwnMark } from './file-mark.ts';
import { idIn, keptBody, type Body } from './parts.ts';
import { isOfSettled, isSettledStatus } from './settled.ts';
import { entriesOf, outlineOf, type Node, type Part } from './tree-outline.ts';
import type { Walk } from '../types.ts';
import { toldBefore, twinsOf, unbelievedIn, wantsDocuments } from './twins.ts';
import { isWanted } from '../wanted.ts';

/** What of a tree is that of the space. */
export interface Sharing {
  /** Number of the space's page or file, when the entry with this id is shared. */
  readonly of: (id: string) => number | undefined;
  /** Takes in an entry that is shared. */
  readonly take: (entry: Body, place: Pick<NewEntry, 'rid' | 'parent' | 'position'>) => void;
  /** Once all entries are taken in. */
  readonly end: () => void;
}

const NOTHING: Sharing = { of: () => undefined, take: () => undefined, end: () => undefined };

/** What of a part of a revision is shared with the space; nothing, unless it is that of a settled change request. */
export function sharingOf(walk: Walk, part: Part, entries: unknown): Sharing {
  const { kind, revision } = part;
  if (!isSharedKind(kind)) return NOTHING;
  const own: SharedPart = { ...part, kind };
  const held = sharedTree(walk.mirror, { revision, kind });
  if (!isOfSettled(walk, part.params)) {
    if (held !== undefined) unshareAll(walk, own, held);
    return NOTHING;
  }
  const tree = outlineOf(kind, entries);
  const mark = markOfTree(tree);
  const doubted = held === undefined ? new Set<string>() : doubtedIn(walk, own, { held, entries, tree });
  const isHeld = held?.mark === mark && doubted.size === 0;
  if (isHeld && !(wantsDocuments(walk, kind) && lacksSharedTrees(walk.mirror, held.tid)))
    return keepShared(walk, own, held);
  return shareAnew(walk, own, { tree, mark, held, doubted });
}

type SharedPart = Part & TreePart;

/**
 * True for the revision of a request that came to its end since it was read, or that people edit once more: it stands still, and is
 * kept otherwise.
 */
export function isKeptOtherwise(walk: Walk, { kind, key, body }: Holder, child: KindName): boolean {
  if (kind !== 'change-request' || child !== 'change-request-revision' || !isWanted(walk, PAGES)) return false;
  const revision = heldByKey(walk.mirror, child, key);
  if (revision === undefined) return false;
  const isShared = sharedTree(walk.mirror, { revision: revision.rid, kind: PAGES }) !== undefined;
  return isShared !== isSettledStatus(body);
}

/** True for a settled request, by its key, that shares nothing yet, or no document trees although this walk reads them. */
export function lacksShared(walk: Walk, key: string): boolean {
  const revision = heldByKey(walk.mirror, 'change-request-revision', key);
  const held = revision === undefined ? undefined : sharedTree(walk.mirror, { revision: revision.rid, kind: PAGES });
  return held === undefined || (wantsDocuments(walk, PAGES) && lacksSharedTrees(walk.mirror, held.tid));
}

interface Holder {
  readonly kind: KindName;
  readonly key: string;
  readonly body: Body;
}

const PAGES = 'change-request-page';

interface Compared {
  readonly held: HeldTree;
  readonly entries: unknown;
  readonly tree: readonly Node[];
}

/** Ids of what is not believed of a shared tree. A full walk looks at what is stored too, and puts right what it can. */
function doubtedIn(walk: Walk, part: SharedPart, { held, entries, tree }: Compared): Set<string> {
  if (walk.mode !== 'full') return new Set();
  const read = new Map<string, string>();
  for (const { id, own } of entriesOf(part.kind, entries))
    if (id !== undefined) read.set(id, JSON.stringify(keptBody(part.kind, own)));
  const damaged = damagedShared(walk.mirror, held.tid, read);
  const shown = new Map(sharedEntries(walk.mirror, held.tid).map((entry) => [entry.id, entry]));
  return new Set([...damaged, ...unbelievedIn(walk, { ...part, tree, shown })]);
}

function markOfTree(tree: readonly Node[]): string {
  const hash = createHash('sha256');
  for (const { id, above, position, mark } of tree) hash.update(`${JSON.stringify([id, above, position, mark])}\n`);
  return hash.digest('base64url').slice(0, 27);
}

/** The same tree as before: what was shared is, and the rest is looked at as in any other. */
function keepShared(walk: Walk, { kind, again }: SharedPart, held: HeldTree): Sharing {
  const shared = new Map(sharedEntries(walk.mirror, held.tid).map(({ id, rid }) => [id, rid]));
  if (!again && held.valid_from !== walk.id) {
    countKind(walk, kind, { seen: held.amount, unchanged: held.amount });
    countBeside(walk, kind, { seen: held.documents, unchanged: held.documents });
  }
  return { ...NOTHING, of: (id) => shared.get(id) };
}

function countBeside(walk: Walk, kind: SharedKind, counts: Partial<KindCounts>): void {
  const { beside } = SHARED_KINDS[kind];
  if (beside !== null && Object.values(counts).some((amount) => amount !== 0)) countKind(walk, beside, counts);
}

/** A request that is under way again, as an archived one may be, shows what people edit. */
function unshareAll(walk: Walk, part: SharedPart, held: HeldTree): void {
  const { rids, documents } = makeOwn(walk, part, sharedEntries(walk.mirror, held.tid));
  if (!part.again) countKind(walk, part.kind, { seen: rids.length, unchanged: rids.length });
  // Most end again at once, with the count that a tree has which this walk has brought.
  const isCounted = part.again ? { unchanged: -documents } : { seen: documents };
  countBeside(walk, part.kind, { ...isCounted, added: documents });
  endSharedTree(walk, part);
}

function makeOwn(walk: Walk, part: SharedPart, entries: readonly SharedEntry[]): MadeOwn {
  const made = unshare(walk, { ...part, entries });
  for (const rid of made.rids) setOwnMark(walk.mirror, part.kind, rid);
  return made;
}

interface Anew {
  readonly tree: readonly Node[];
  readonly mark: string;
  /** What was shared until now. */
  readonly held: HeldTree | undefined;
  /** Ids of what of that is not believed. */
  readonly doubted: ReadonlySet<string>;
}

function shareAnew(walk: Walk, part: SharedPart, anew: Anew): Sharing {
  const { tree, mark, held, doubted } = anew;
  const before = held === undefined ? [] : sharedEntries(walk.mirror, held.tid);
  const shown = new Map(before.map((entry) => [entry.id, entry]));
  const twins = twinsOf(walk, { ...part, tree, shown, doubted });
  // It stands as it was until it is read, and is asked for where the tree has it no more.
  const ended = before.filter(({ id }) => !twins.has(id));
  if (ended.length > 0) countOwn(walk, part, { tree, own: makeOwn(walk, part, ended).entries });
  const entries: NewEntry[] = [];
  return {
    of: (id) => twins.get(id)?.rid,
    take: (entry, place) => {
      const id = idIn(part.kind, entry) ?? '';
      const twin = twins.get(id);
      if (twin === undefined) return;
      const { text, document, object, size } = twin;
      entries.push({ ...place, body: keptBody(part.kind, entry), text, document, object, size });
      const own = endOwn(walk, part, id);
      if (part.again && shown.has(id)) return;
      const outcome = own !== null || shown.has(id) ? 'unchanged' : 'added';
      if (own !== 'counted') countKind(walk, part.kind, { seen: 1, [outcome]: 1 });
      if (document !== null) countBeside(walk, part.kind, { seen: 1, [outcome]: 1 });
    },
    end: () => shareTree(walk, part, { mark, entries }),
  };
}

/** Counts what of a tree was shared, is there still, and is a resource of its own by now, with what stands beside it. */
function countOwn(walk: Walk, { kind, again }: SharedPart, { tree, own }: MadeOwnOf): void {
  if (again) return;
  const nodes = new Map(tree.map((node) => [node.id, node]));
  for (const before of own) {
    const node = nodes.get(before.id);
    if (node === undefined) continue;
    const told = toldBefore(before);
    const isSame = told !== undefined && entryMark(kind, told) === node.mark && before.above === node.above;
    countKind(walk, kind, { seen: 1, [isSame ? 'unchanged' : 'changed']: 1 });
    // One of another text ends with the text, and takes back that it was added.
    const isOfText = told?.['documentId'] === node.documentId;
    if (before.document !== null) countBeside(walk, kind, { seen: 1, [isOfText ? 'unchanged' : 'added']: 1 });
  }
}

interface MadeOwnOf extends Pick<Anew, 'tree'> {
  readonly own: readonly SharedEntry[];
}

/**
 * Ends the version that an entry has of its own; answers whether it had one, which an earlier reading of the tree may have counted,
 * or had lost it in this walk.
 */
function endOwn(walk: Walk, part: SharedPart, id: string): 'held' | 'counted' | 'gone' | null {
  const { kind, params } = part;
  const own = { ...params, [ownParameter(kind)]: id };
  const key = keyOf(kind, own);
  const known = currentOf(walk.mirror, kind, key);
  if (known === undefined) return null;
  reappear(walk.mirror, known.rid);
  if (known.vid === null) return takeBack(walk, kind, { own, rid: known.rid }) ? 'gone' : null;
  const counted = countedBefore(part, key, known);
  endDocuments(walk, { kind, params: own, counted });
  lapse(walk, known.rid);
  if (counted.includes(kind)) return 'counted';
  // It was counted when it was taken in.
  if (known.valid_from === walk.id) countKind(walk, kind, { seen: -1, added: -1 });
  return 'held';
}

interface Gone {
  readonly own: Readonly<Record<string, string>>;
  readonly rid: number;
}

/** True for what this walk took for gone, with the tree beside it, and is there again. */
function takeBack(walk: Walk, kind: SharedKind, { own, rid }: Gone): boolean {
  if (!withdrawEnd(walk, rid)) return false;
  countKind(walk, kind, { gone: -1 });
  const { beside } = SHARED_KINDS[kind];
  const tree = beside === null ? undefined : currentOf(walk.mirror, beside, keyOf(beside, own));
  if (beside !== null && tree !== undefined && withdrawEnd(walk, tree.rid)) countKind(walk, beside, { gone: -1 });
  return true;
}
