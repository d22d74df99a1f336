// The tree of a settled change request, merged or archived, of which nothing will ever be edited: what it shows as its space does is
// noted as that of the space, and only what differs becomes a resource of its own.
import { createHash } from 'node:crypto';
import { kindOf, type KindName } from '../../contract/index.ts';
import {
  bodyOf,
  countKind,
  currentOf,
  damagedShared,
  endSharedTree,
  isSharedKind,
  keyOf,
  lacksSharedTrees,
  lapse,
  reappear,
  SETTLED_STATUSES,
  SHARED_KINDS,
  sharedEntries,
  sharedTree,
  shareTree,
  readableJson,
  unshare,
  withdrawEnd,
  type Current,
  type HeldTree,
  type KindCounts,
  type MadeOwn,
  type NewEntry,
  type SharedEntry,
  type SharedKind,
  type TreePart,
} from '../../mirror/index.ts';
import { endDocuments } from './documents.ts';
import { entryMark, remarkOwn } from './file-mark.ts';
import { idIn, keptBody, type Body } from './parts.ts';
import { entriesOf, outlineOf, type Node } from './tree-outline.ts';
import type { Walk } from '../types.ts';
import { isWanted } from '../wanted.ts';

/** One part of a revision, on its way into the mirror. */
interface Part {
  readonly kind: KindName;
  readonly revision: number;
  readonly params: Readonly<Record<string, string>>;
  readonly again: boolean;
}

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
  if (!isSettled(walk, part)) {
    if (held !== undefined) unshareAll(walk, own, held);
    return NOTHING;
  }
  const tree = outlineOf(kind, entries);
  const mark = markOfTree(tree);
  const damaged = held === undefined ? new Set<string>() : damagedIn(walk, own, { held, entries });
  const isHeld = held?.mark === mark && damaged.size === 0;
  if (isHeld && !(wantsDocuments(walk, kind) && lacksSharedTrees(walk.mirror, held.tid)))
    return keepShared(walk, own, held);
  return shareAnew(walk, own, { tree, mark, held, damaged });
}

type SharedPart = Part & TreePart;

/**
 * True for the revision of a request that came to its end since it was read, or that people edit once more: it stands still, and is
 * kept otherwise.
 */
export function isKeptOtherwise(walk: Walk, { kind, key, body }: Holder, child: KindName): boolean {
  if (kind !== 'change-request' || child !== 'change-request-revision' || !isWanted(walk, PAGES)) return false;
  const revision = currentOf(walk.mirror, child, key);
  if (revision === undefined || revision.vid === null) return false;
  const isShared = sharedTree(walk.mirror, { revision: revision.rid, kind: PAGES }) !== undefined;
  return isShared !== isSettledStatus(body);
}

interface Holder {
  readonly kind: KindName;
  readonly key: string;
  readonly body: Body;
}

const PAGES = 'change-request-page';

/** True for a change request that is merged or archived. */
export function isSettledStatus(body: Body | undefined): boolean {
  return SETTLED_STATUSES.includes(String(body?.['status']));
}

function isSettled({ mirror }: Walk, { params }: Part): boolean {
  const { spaceId = '', changeRequestId = '' } = params;
  const request = currentOf(mirror, 'change-request', keyOf('change-request', { spaceId, changeRequestId }));
  return request !== undefined && isSettledStatus(bodyOf(mirror, request.rid));
}

/** A full walk looks at what is stored too, and puts right what it can. */
function damagedIn(
  walk: Walk,
  { kind }: TreePart,
  { held, entries }: { held: HeldTree; entries: unknown },
): Set<string> {
  if (walk.mode !== 'full') return new Set();
  const read = new Map<string, string>();
  for (const { id, own } of entriesOf(kind, entries))
    if (id !== undefined) read.set(id, JSON.stringify(keptBody(kind, own)));
  return damagedShared(walk.mirror, held.tid, read);
}

function markOfTree(tree: readonly Node[]): string {
  const hash = createHash('sha256');
  for (const { id, above, position, mark } of tree) hash.update(`${JSON.stringify([id, above, position, mark])}\n`);
  return hash.digest('base64url').slice(0, 27);
}

/** True where this walk reads document trees beside texts. */
function wantsDocuments(walk: Walk, kind: SharedKind): boolean {
  const { beside } = SHARED_KINDS[kind];
  return walk.settings.documents === true && beside !== null && isWanted(walk, beside) && !walk.notOffered.has(beside);
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
  if (beside !== null && (counts.seen ?? 0) > 0) countKind(walk, beside, counts);
}

/** A request that is under way again, as an archived one may be, shows what people edit. */
function unshareAll(walk: Walk, part: SharedPart, held: HeldTree): void {
  const { rids, documents } = makeOwn(walk, part, sharedEntries(walk.mirror, held.tid));
  countKind(walk, part.kind, { seen: rids.length, unchanged: rids.length });
  // Most end again at once, with the count that a tree has which this walk has brought.
  countBeside(walk, part.kind, { seen: documents, added: documents });
  endSharedTree(walk, part);
}

function makeOwn(walk: Walk, part: SharedPart, entries: readonly SharedEntry[]): MadeOwn {
  const made = unshare(walk, { ...part, entries });
  for (const rid of made.rids) remarkOwn(walk.mirror, part.kind, rid);
  return made;
}

interface Anew {
  readonly tree: readonly Node[];
  readonly mark: string;
  /** What was shared until now. */
  readonly held: HeldTree | undefined;
  /** Ids of what cannot be read of that any more. */
  readonly damaged: ReadonlySet<string>;
}

function shareAnew(walk: Walk, part: SharedPart, anew: Anew): Sharing {
  const { tree, mark, held } = anew;
  const before = held === undefined ? [] : sharedEntries(walk.mirror, held.tid);
  const there = new Set(tree.map(({ id }) => id));
  // What the tree had and has no more is asked for as whatever else is lacking.
  const lacking = before.filter(({ id }) => !there.has(id));
  if (lacking.length > 0) makeOwn(walk, part, lacking);
  const shown = new Map(before.map((entry) => [entry.id, entry]));
  const twins = twinsIn(tree, (node) => keptOf(walk, part, { node, shown, anew }) ?? twinOf(walk, part, node));
  const entries: NewEntry[] = [];
  return {
    of: (id) => twins.get(id)?.rid,
    take: (entry, place) => {
      const id = idIn(part.kind, entry) ?? '';
      const twin = twins.get(id);
      if (twin === undefined) return;
      const { text, document, object, size } = twin;
      entries.push({ ...place, body: keptBody(part.kind, entry), text, document, object, size });
      const ended = endOwn(walk, part, id);
      // One that this walk took for gone was not counted by its first reading of the tree either.
      if (part.again && ended !== 'gone') return;
      const outcome = ended !== null || shown.has(id) ? 'unchanged' : 'added';
      countKind(walk, part.kind, { seen: 1, [outcome]: 1 });
      if (document !== null) countBeside(walk, part.kind, { seen: 1, [outcome]: 1 });
    },
    end: () => shareTree(walk, part, { mark, entries }),
  };
}

/** Ends the version that an entry has of its own; answers whether it had one, or had lost it in this walk. */
function endOwn(walk: Walk, part: SharedPart, id: string): 'held' | 'gone' | null {
  const { kind, params, again } = part;
  const own = { ...params, [ownParameter(kind)]: id };
  const known = currentOf(walk.mirror, kind, keyOf(kind, own));
  if (known === undefined) return null;
  reappear(walk.mirror, known.rid);
  if (known.vid === null) return takeBack(walk, kind, { own, rid: known.rid }) ? 'gone' : null;
  endDocuments(walk, { kind, params: own });
  lapse(walk, known.rid);
  // It was counted when it was taken in.
  if (known.valid_from === walk.id && !again) countKind(walk, kind, { seen: -1, added: -1 });
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

/** Where the mirror has what an entry of a tree shows. */
type Twin = Pick<NewEntry, 'rid' | 'text' | 'document' | 'object' | 'size'>;

/**
 * What is shared of a tree, by its id. Not what holds something that is not: what a resource of its own stands below is one too.
 */
function twinsIn(tree: readonly Node[], find: (node: Node) => Twin | undefined): Map<string, Twin> {
  const twins = new Map<string, Twin>();
  const alone = new Set<string>();
  const seen = new Set<string>();
  // Below before above.
  for (const node of tree.toReversed()) {
    if (node.id === undefined || seen.has(node.id)) return new Map();
    seen.add(node.id);
    const twin = alone.has(node.id) ? undefined : find(node);
    if (twin !== undefined) twins.set(node.id, twin);
    else if (node.above !== null) alone.add(node.above);
  }
  return twins;
}

interface Kept {
  readonly node: Node;
  readonly shown: ReadonlyMap<string, SharedEntry>;
  readonly anew: Anew;
}

/** What was shared and is told of as before, though its space may show something else by now. */
function keptOf(walk: Walk, { kind }: SharedPart, { node, shown, anew }: Kept): Twin | undefined {
  const before = shown.get(node.id ?? '');
  if (before === undefined || anew.damaged.has(before.id) || before.above !== node.above) return undefined;
  const told = before.data === null ? undefined : readableJson(before.data);
  if (told === undefined || entryMark(kind, told) !== node.mark) return undefined;
  if (wantsDocuments(walk, kind) && before.text !== null && before.document === null) return undefined;
  return before;
}

/** What the space shows as the tree does, in the same place. */
function twinOf(walk: Walk, part: SharedPart, node: Node): Twin | undefined {
  const { mirror } = walk;
  const { main } = SHARED_KINDS[part.kind];
  const at = (id: string): Current | undefined =>
    currentOf(mirror, main, keyOf(main, { ...part.params, [ownParameter(main)]: id }));
  const known = at(node.id ?? '');
  if (known === undefined || known.vid === null || known.mark !== node.mark) return undefined;
  if (main === 'file') return known.object === null ? undefined : { ...known, document: null };
  if (known.parent !== (node.above === null ? null : (at(node.above)?.rid ?? null))) return undefined;
  if (node.isEmpty) return known.text === null ? { ...known, document: null } : undefined;
  // What is computed has no id of its text, and another text when its source moves.
  if (node.documentId === null || known.text === null) return undefined;
  const document = treeOf(walk, part, node);
  return document === null && wantsDocuments(walk, part.kind) ? undefined : { ...known, document };
}

/** The document tree that the space holds of a text; null when there is none. */
function treeOf({ mirror }: Walk, { params }: Part, { id = '', documentId }: Node): number | null {
  const held = currentOf(mirror, 'page-document', keyOf('page-document', { ...params, pageId: id }));
  return typeof held?.body === 'number' && bodyOf(mirror, held.rid)?.['documentId'] === documentId ? held.body : null;
}

function ownParameter(kind: KindName): string {
  return kindOf(kind).params.at(-1) ?? '';
}
