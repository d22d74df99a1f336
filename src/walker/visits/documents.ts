// The texts of pages as trees of blocks, where the walk is set to read them: one request more beside each page that is read. A tree
// that is held is always of the same text as its page: it ends with that text, and the new one is read as a visit of its own.
import { AppError, isRecord } from '../../base/index.ts';
import { kindOf, type KindName } from '../../contract/index.ts';
import {
  addVisit,
  bodyOf,
  countKind,
  currentOf,
  hasWords,
  isHeld,
  keyOf,
  lackingBeside,
  lapse,
  treeOfText,
  type Current,
} from '../../mirror/index.ts';
import { isCounted } from './counted.ts';
import { goneStatus } from '../failures.ts';
import { pathFor } from '../path.ts';
import { placeOf } from '../order.ts';
import type { Body } from './parts.ts';
import { isShared } from './page-text.ts';
import { readTreeAgain } from './read-again.ts';
import { take } from '../take.ts';
import type { Walk } from '../types.ts';
import { besides, isWanted } from '../wanted.ts';

/** Parameters of a `document` visit. */
export interface DocumentVisit {
  readonly kind: KindName;
  readonly params: Readonly<Record<string, string>>;
  /** Number of the page that it stands beside. */
  readonly scope: number;
  /** It is read after the revision that its page is of was compared. */
  readonly late?: true;
  /** An earlier reading of the tree of pages has counted it in this walk. */
  readonly again?: true;
}

/** A page, beside which its tree stands. */
export interface PageBeside {
  readonly kind: KindName;
  readonly params: Readonly<Record<string, string>>;
  /** What of it, and of what stands beside it, this walk has counted when it read the tree of pages before. */
  readonly counted?: readonly KindName[] | undefined;
}

/** A page that is held. */
interface PageHeld extends PageBeside {
  readonly rid: number;
}

interface PageTaken extends PageHeld {
  /** The id of its text, if it has one. */
  readonly text: unknown;
  /** It was held already, with this text. */
  readonly wasSame: boolean;
}

/** After a page was taken in: ends the trees of another text than it has now, and adds the visits by which they are read. */
export function renewDocuments(walk: Walk, page: PageTaken): void {
  const { kind, params, text, wasSame } = page;
  for (const own of besides(kind)) {
    const held = heldTree(walk, own, params);
    // What is computed has no id of its text: there only the text itself tells.
    const isSame = held !== undefined && (typeof text === 'string' ? documentIdOf(walk, held.rid) === text : wasSame);
    const isOwn = !isShared(walk.mirror, page);
    if (held !== undefined && !(isSame && isOwn)) endTree(walk, held, { kind: own, counted: page.counted });
    if (isOwn) addDocument(walk, own, page);
  }
}

/** Beside a page that is unchanged: adds the visits of trees that are not there. */
export function addMissingDocuments(walk: Walk, page: PageHeld): void {
  if (walk.settings.documents !== true) return;
  for (const own of besides(page.kind))
    if (heldTree(walk, own, page.params) === undefined) addDocument(walk, own, page);
}

/** Beside a page that is unchanged: its trees are of the same text, so they are too. One that this walk took in is counted already. */
export function countDocuments(walk: Walk, { kind, params }: PageBeside): void {
  for (const own of besides(kind)) countTree(walk, own, params);
}

function countTree(walk: Walk, kind: KindName, params: PageBeside['params']): void {
  const held = heldTree(walk, kind, params);
  if (held !== undefined && held.valid_from !== walk.id) countKind(walk, kind, { seen: 1, unchanged: 1 });
}

/** Ends the trees beside a page that has no text of its own any more. */
export function endDocuments(walk: Walk, { kind, params, counted }: PageBeside): void {
  for (const own of besides(kind)) {
    const held = heldTree(walk, own, params);
    if (held !== undefined) endTree(walk, held, { kind: own, counted });
  }
}

/** A tree of this kind, and what of its page this walk has counted. */
type Countable = Pick<PageBeside, 'kind' | 'counted'>;

/** A tree that holds now. */
function heldTree({ mirror }: Walk, kind: KindName, params: PageBeside['params']): Current | undefined {
  const known = currentOf(mirror, kind, keyOf(kind, params));
  return typeof known?.vid === 'number' ? known : undefined;
}

/** Ends a tree. One that this walk has counted before its page moved on is counted no more. */
function endTree(walk: Walk, { rid, valid_from: from }: Current, one: Countable): void {
  lapse(walk, rid);
  if (from === walk.id) countKind(walk, one.kind, { seen: -1, added: -1 });
  else if (isCounted(one)) countKind(walk, one.kind, { seen: -1, unchanged: -1 });
}

/** Beside a page of a change request whose tree was read long ago: the request may have moved since. */
export function addLateDocument(walk: Walk, kind: KindName, page: Omit<PageHeld, 'kind'>): void {
  addDocument(walk, kind, { ...page, late: true });
}

type Wanting = Omit<PageHeld, 'kind'> & Pick<DocumentVisit, 'late'>;

function addDocument(walk: Walk, kind: KindName, { params, rid, late, counted }: Wanting): void {
  const again = isCounted({ kind, counted });
  if (walk.settings.documents !== true || !isWanted(walk, kind)) return;
  if (takeHeldTree(walk, kind, { params, rid })) return;
  const visit: DocumentVisit = {
    kind,
    params,
    scope: rid,
    ...(late === true ? { late } : {}),
    ...(again ? { again } : {}),
  };
  addVisit(walk, { task: 'document', params: { ...visit }, place: placeOf(walk, params) });
}

/**
 * Takes the tree of a page of a change request that still shows a text which the page of its space had until it was edited: it is held as
 * that of the space. Asked for, each edit of a page would be a request for each change request that there ever was.
 */
function takeHeldTree(walk: Walk, kind: KindName, { params, rid }: Omit<PageHeld, 'kind'>): boolean {
  const text = documentIdOf(walk, rid);
  // A full walk believes nothing that it has not read itself.
  if (kind !== 'change-request-page-document' || text === undefined || walk.mode === 'full') return false;
  const body = treeOfText(walk.mirror, { main: keyOf('page-document', params), text });
  if (body === undefined) return false;
  take(walk, { kind, params, scope: rid, body });
  return true;
}

/** True when a page of a revision has a text and no tree, for any reason but that the platform has none to offer. */
export function lacksDocuments(walk: Walk, revision: number, pages: readonly KindName[]): boolean {
  if (walk.settings.documents !== true) return false;
  return pages.some((kind) =>
    besides(kind)
      .filter((beside) => !walk.notOffered.has(beside))
      .flatMap((beside) => lackingBeside(walk.mirror, { scope: revision, kind, beside }))
      .some((params) => !isShared(walk.mirror, { kind, params })),
  );
}

/**
 * Reads a page as the tree of blocks. Null for a late one whose page the platform says is not there: its request was read on an
 * earlier night, and what is computed goes with its source while the revision stands still.
 */
export async function readDocument(walk: Walk, visit: DocumentVisit): Promise<Body | null> {
  try {
    return await readTree(walk, visit);
  } catch (error) {
    if (visit.late === true && goneStatus(error) !== undefined) return null;
    throw error;
  }
}

async function readTree(walk: Walk, { kind, params, scope }: DocumentVisit): Promise<Body> {
  const { read } = kindOf(kind);
  if (read.from !== 'beside') throw new Error(`${kind} stands beside nothing`);
  const input = { path: pathFor(read.operation, params), query: read.query ?? {} };
  const answer = await walk.client.callRaw(read.operation, input, { signal: walk.signal });
  const { document } = isRecord(answer) ? answer : {};
  // Without nodes it holds no text: right for an empty page alone.
  const isWhole = isRecord(document) && (Array.isArray(document['nodes']) || !hasWords(walk.mirror, scope));
  if (isRecord(answer) && isWhole) return answer;
  throw new AppError('DM_BAD_RESPONSE', `The answer for ${kind} ${keyOf(kind, params)} has no document`, {
    hint: 'Set walk.documents to false if this platform has no document trees.',
  });
}

/**
 * Takes in a tree. One of another text than that of the page is left out: they were read while the page moved. Nothing compares
 * the revision after a late one, so all of it is read again then. So it is when the page of a late one is not there: the tree of
 * pages, read now, and a direct read of what it lacks tell whether the page is gone, and a second "not found" of one that still
 * stands in it is a failure.
 */
export function takeDocument(walk: Walk, visit: DocumentVisit, body: Body | null): void {
  const { kind, params, scope, late, again = false } = visit;
  if (body === null) return readRequestAgain(walk, params);
  // The page has ended since: what a change request shows as its space does has the tree of that.
  if (!isHeld(walk.mirror, scope)) return;
  const { document, documentId } = body;
  const text = documentIdOf(walk, scope);
  if (text !== undefined && typeof documentId === 'string' && documentId !== text) {
    if (late === true) readRequestAgain(walk, params);
    // What is held of the page stands until its tree of pages is read once more.
    else if (!again) countTree(walk, kind, params);
    return;
  }
  take(walk, { kind, params, scope, again, body: { ...(documentId === undefined ? {} : { documentId }), document } });
}

function readRequestAgain(walk: Walk, { spaceId = '', changeRequestId = '' }: PageBeside['params']): void {
  const params = { spaceId, changeRequestId };
  const rid = currentOf(walk.mirror, 'change-request', keyOf('change-request', params))?.rid;
  if (rid !== undefined) readTreeAgain(walk, 'change-request-revision', { holder: { rid, params }, mark: '' });
}

/** What a text is known by: another text has another id (reference facts, structure and text). */
function documentIdOf(walk: Walk, rid: number): string | undefined {
  const id = bodyOf(walk.mirror, rid)?.['documentId'];
  return typeof id === 'string' ? id : undefined;
}
