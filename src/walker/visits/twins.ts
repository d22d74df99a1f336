// What of a settled change request's tree the mirror has already: what was shared of it before, and what its space or another request
// shows in the same place.
import { readableJson } from '../../base/index.ts';
import { ownParameter, parentKind } from '../../contract/index.ts';
import {
  addResource,
  bodyOf,
  currentOf,
  keyOf,
  paramsOf,
  SHARED_KINDS,
  type Current,
  type NewEntry,
  type SharedEntry,
  type SharedKind,
} from '../../mirror/index.ts';
import { isWanted } from '../wanted.ts';
import type { Walk } from '../types.ts';
import { entryMark } from './file-mark.ts';
import { heldInAnyRequest, heldInRequests } from './held-in-requests.ts';
import type { Body } from './parts.ts';
import type { Node } from './tree-outline.ts';

/** True where this walk reads document trees beside texts. */
export function wantsDocuments(walk: Walk, kind: SharedKind): boolean {
  const { beside } = SHARED_KINDS[kind];
  return walk.settings.documents === true && beside !== null && isWanted(walk, beside) && !walk.notOffered.has(beside);
}

/** Where the mirror has what an entry of a tree shows. */
export type Twin = Pick<NewEntry, 'rid' | 'text' | 'document' | 'object' | 'size'>;

/** A tree as it is told now, and what is known of it. */
interface Sought {
  /** Where it stands. */
  readonly kind: SharedKind;
  readonly params: Readonly<Record<string, string>>;
  readonly tree: readonly Node[];
  /** What was shared of it until now, by its id, and the ids of what of that is not believed. */
  readonly shown: ReadonlyMap<string, SharedEntry>;
  readonly doubted: ReadonlySet<string>;
}

/**
 * What can be shared of a tree, by its id. Not what holds something that cannot: what a resource of its own stands below is one too.
 */
export function twinsOf(walk: Walk, sought: Sought): Map<string, Twin> {
  const twins = new Map<string, Twin>();
  const alone = new Set<string>();
  const seen = new Set<string>();
  // Below before above.
  for (const node of sought.tree.toReversed()) {
    if (node.id === undefined || seen.has(node.id)) return new Map();
    seen.add(node.id);
    const twin = alone.has(node.id) ? undefined : (keptOf(walk, sought, node) ?? twinOf(walk, sought, node));
    if (twin !== undefined) twins.set(node.id, twin);
    else if (node.above !== null) alone.add(node.above);
  }
  return twins;
}

/** What was shared and is told of as before, though its space may show something else by now. */
function keptOf(walk: Walk, { kind, shown, doubted }: Sought, node: Node): Twin | undefined {
  const before = shown.get(node.id ?? '');
  if (before === undefined || doubted.has(before.id) || before.above !== node.above) return undefined;
  const told = toldBefore(before);
  if (told === undefined || entryMark(kind, told) !== node.mark) return undefined;
  if (wantsDocuments(walk, kind) && before.text !== null && before.document === null) return undefined;
  return before;
}

/** The entry of a tree as it was told; undefined where what is stored of it is damaged. */
export function toldBefore({ data }: SharedEntry): Body | undefined {
  return data === null ? undefined : readableJson(data);
}

/**
 * Ids of what a full walk does not believe of what was shared: what the space shows still, in the same place, and has another text,
 * document tree or file of by now; and what neither the space nor a request shows by itself, so that nothing else would read it.
 */
export function unbelievedIn(walk: Walk, sought: Omit<Sought, 'doubted'>): string[] {
  return sought.tree.flatMap((node) => {
    const before = sought.shown.get(node.id ?? '');
    if (before === undefined) return [];
    const twin = twinOf(walk, sought, node);
    const isRight = twin === undefined ? isReadElsewhere(walk, sought, { node, before }) : isSame(before, twin);
    return isRight ? [] : [before.id];
  });
}

interface Compared {
  readonly node: Node;
  readonly before: SharedEntry;
}

/** True for what has nothing to be read, and for what any request shows of its own, be it an earlier or a later one: it is read for that. */
function isReadElsewhere(walk: Walk, { kind, params }: Tree, { node, before }: Compared): boolean {
  if (before.text === null && before.object === null) return true;
  const own = { ...params, [ownParameter(kind)]: before.id };
  const held = heldInAnyRequest(walk, { kind, params: own, mark: node.mark, documentId: node.documentId });
  return held.some((one) => isSame(one, before));
}

type Content = Pick<Twin, 'text' | 'document' | 'object'>;

function isSame(before: Content, { text, document, object }: Content): boolean {
  return before.text === text && before.object === object && (document === null || before.document === document);
}

type Tree = Pick<Sought, 'kind' | 'params'>;

/** What the space, or another change request of it, shows as the tree does, in the same place. */
function twinOf(walk: Walk, tree: Tree, node: Node): Twin | undefined {
  return twinInSpace(walk, tree, node) ?? twinInRequest(walk, tree, node);
}

function twinInSpace(walk: Walk, { kind, params }: Tree, node: Node): Twin | undefined {
  const { mirror } = walk;
  const { main } = SHARED_KINDS[kind];
  const at = (id: string): Current | undefined =>
    currentOf(mirror, main, keyOf(main, { ...params, [ownParameter(main)]: id }));
  const known = at(node.id ?? '');
  if (known === undefined || known.mark !== node.mark) return undefined;
  if (main === 'file') return known.object === null ? undefined : { ...known, document: null };
  if (known.parent !== (node.above === null ? null : (at(node.above)?.rid ?? null))) return undefined;
  if (node.isEmpty) return known.text === null ? { ...known, document: null } : undefined;
  // What is computed has no id of its text, and another text when its source moves.
  if (node.documentId === null || known.text === null) return undefined;
  const document = documentOf(walk, params, node);
  return document === null && wantsDocuments(walk, kind) ? undefined : { ...known, document };
}

/** What the space showed before it went on, as a request shows it that was read before. */
function twinInRequest(walk: Walk, { kind, params }: Tree, { id = '', above, mark, ...node }: Node): Twin | undefined {
  const own = { ...params, [ownParameter(kind)]: id };
  const held = heldInRequests(walk, { kind, params: own, mark, documentId: node.documentId }).find(
    ({ text, object, document, ...one }) =>
      one.above === above &&
      (kind === 'change-request-file' ? object !== null : (text === null) === node.isEmpty) &&
      (text === null || document !== null || !wantsDocuments(walk, kind)),
  );
  const rid = held === undefined ? null : numberInSpace(walk, kind, own);
  return held === undefined || rid === null ? undefined : { ...held, rid };
}

/** The number that a page or file has in the space, though that may have had none of the id since it is mirrored. */
function numberInSpace({ mirror }: Walk, kind: SharedKind, params: Readonly<Record<string, string>>): number | null {
  const { main } = SHARED_KINDS[kind];
  const known = currentOf(mirror, main, keyOf(main, params));
  if (known !== undefined) return known.rid;
  const holder = parentKind(main);
  const scope = holder === null ? undefined : currentOf(mirror, holder, keyOf(holder, params))?.rid;
  return scope === undefined
    ? null
    : addResource(mirror, { kind: main, params: paramsOf(main, keyOf(main, params)), scope });
}

/** Number of the document that the space holds of a text; null when it has none. */
function documentOf({ mirror }: Walk, params: Sought['params'], { id = '', documentId }: Node): number | null {
  const held = currentOf(mirror, 'page-document', keyOf('page-document', { ...params, pageId: id }));
  return typeof held?.body === 'number' && bodyOf(mirror, held.rid)?.['documentId'] === documentId ? held.body : null;
}
