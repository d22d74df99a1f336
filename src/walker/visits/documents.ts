// Document trees: the texts of pages as trees of blocks, where the walk is set to read them, which costs one request more for each page
// that is read. A document that is held is always of the same text as its page: it ends with that text, and the next one is a visit of
// its own. The tree of pages is another thing: what a revision consists of.
import { AppError, isRecord } from '../../base/index.ts';
import { isList } from '../../client/index.ts';
import { kindOf, ownParameter, pathFor, type KindName } from '../../contract/index.ts';
import {
  addVisit,
  bodyOf,
  countKind,
  currentOf,
  hasWords,
  heldByKey,
  isHeld,
  keyOf,
  lapse,
  documentBeside,
  documentOfText,
  type Current,
} from '../../mirror/index.ts';
import { isCounted } from './counted.ts';
import { goneStatus } from '../failures.ts';
import { placeOf } from '../order.ts';
import type { Body } from './parts.ts';
import { isShared, firstWithout } from './page-text.ts';
import { readAgain } from './read-again.ts';
import { heldInRequests } from './held-in-requests.ts';
import { stageOfRequest } from './settled.ts';
import { take } from '../take.ts';
import { knowForm } from '../unknown-form.ts';
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

/** A page, beside which its document stands. */
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

/** After a page was taken in: ends documents of another text than it has now, and adds the visits that read the new ones. */
export function renewDocuments(walk: Walk, page: PageTaken): void {
  const { kind, params, text, wasSame } = page;
  for (const own of besides(kind)) {
    const held = heldDocument(walk, own, params);
    // What is computed has no id of its text: there only the text itself tells.
    const isSame = held !== undefined && (typeof text === 'string' ? documentIdOf(walk, held.rid) === text : wasSame);
    const isOwn = !isShared(walk.mirror, page);
    if (held !== undefined && !(isSame && isOwn)) endDocument(walk, held, { kind: own, counted: page.counted });
    if (isOwn) addDocument(walk, own, page);
  }
}

/** Beside a page that is unchanged: adds visits for the documents that are not held. */
export function addMissingDocuments(walk: Walk, page: PageHeld): void {
  if (walk.settings.documents !== true) return;
  for (const own of besides(page.kind))
    if (heldDocument(walk, own, page.params) === undefined) addDocument(walk, own, page);
}

/** Beside a page that is unchanged: its documents are of the same text, and so unchanged too. One that this walk took in is counted already. */
export function countDocuments(walk: Walk, { kind, params }: PageBeside): void {
  for (const own of besides(kind)) countDocument(walk, own, params);
}

function countDocument(walk: Walk, kind: KindName, params: PageBeside['params']): void {
  const held = heldDocument(walk, kind, params);
  if (held !== undefined && held.valid_from !== walk.id) countKind(walk, kind, { seen: 1, unchanged: 1 });
}

/** Ends the documents beside a page that has no text of its own any more. */
export function endDocuments(walk: Walk, { kind, params, counted }: PageBeside): void {
  for (const own of besides(kind)) {
    const held = heldDocument(walk, own, params);
    if (held !== undefined) endDocument(walk, held, { kind: own, counted });
  }
}

/** The kind of a document, and what of its page this walk has counted. */
type Countable = Pick<PageBeside, 'kind' | 'counted'>;

/** The document of a page that is held now. */
function heldDocument({ mirror }: Walk, kind: KindName, params: PageBeside['params']): Current | undefined {
  return heldByKey(mirror, kind, keyOf(kind, params));
}

/** Ends a document. One that this walk counted before its page moved on is taken out of the counts. */
function endDocument(walk: Walk, { rid, valid_from: from }: Current, one: Countable): void {
  lapse(walk, rid);
  if (from === walk.id) countKind(walk, one.kind, { seen: -1, added: -1 });
  else if (isCounted(one)) countKind(walk, one.kind, { seen: -1, unchanged: -1 });
}

/** Adds the visit of a document of a change request whose tree of pages was read on an earlier night, and that may have moved since. */
export function addLateDocument(walk: Walk, kind: KindName, page: Omit<PageHeld, 'kind'>): void {
  addDocument(walk, kind, { ...page, late: true });
}

type Wanting = Omit<PageHeld, 'kind'> & Pick<DocumentVisit, 'late'>;

function addDocument(walk: Walk, kind: KindName, { params, rid, late, counted }: Wanting): void {
  const again = isCounted({ kind, counted });
  if (walk.settings.documents !== true || !isWanted(walk, kind)) return;
  if (takeHeldDocument(walk, kind, { params, rid })) return;
  const visit: DocumentVisit = {
    kind,
    params,
    scope: rid,
    ...(late === true ? { late } : {}),
    ...(again ? { again } : {}),
  };
  const stage = stageOfRequest(walk, params);
  addVisit(walk, { task: 'document', stage, params: { ...visit }, place: placeOf(walk, params) });
}

/**
 * For a page of a change request that still shows a text which its space has edited since: takes the document that the space had for that
 * text, or that another request has. Without this, each edit of a page would cost a request for each change request that ever was.
 */
function takeHeldDocument(walk: Walk, kind: KindName, { params, rid }: Omit<PageHeld, 'kind'>): boolean {
  const text = documentIdOf(walk, rid);
  // A full walk believes nothing that it has not read itself.
  if (kind !== 'change-request-page-document' || text === undefined || walk.mode === 'full') return false;
  const body =
    documentOfText(walk.mirror, { main: keyOf('page-document', params), text }) ??
    documentElsewhere(walk, params, text);
  if (body === undefined) return false;
  take(walk, { kind, params, scope: rid, body });
  return true;
}

/** The document that another request has for the same text. */
function documentElsewhere(walk: Walk, params: PageBeside['params'], documentId: string): Body | undefined {
  const kind = 'change-request-page';
  const mark = currentOf(walk.mirror, kind, keyOf(kind, params))?.mark ?? '';
  const other = heldInRequests(walk, { kind, params, mark, documentId }).find(({ document }) => document !== null);
  return other && documentBeside(walk.mirror, other.rid);
}

/** True when a page of a revision has a text and no document, for any reason but that the platform does not offer documents. */
export function lacksDocuments(walk: Walk, revision: number, pages: readonly KindName[]): boolean {
  if (walk.settings.documents !== true) return false;
  return pages.some((kind) =>
    besides(kind)
      .filter((beside) => !walk.notOffered.has(beside))
      .some((beside) => firstWithout(walk.mirror, { scope: revision, kind, beside }) !== undefined),
  );
}

/**
 * Reads the document of a page. Null for a late one whose page the platform says is not there: its change request was read on an earlier
 * night, and a page that is computed goes with its specification while the revision stands still.
 */
export async function readDocument(walk: Walk, visit: DocumentVisit): Promise<Body | null> {
  try {
    return await requestDocument(walk, visit);
  } catch (error) {
    if (visit.late === true && goneStatus(error) !== undefined) return null;
    throw error;
  }
}

// A tree is ten times as much as its JSON once it is made, and nothing needs all of it at once.
const LISTS = ['document', 'nodes'];

async function requestDocument(walk: Walk, { kind, params, scope }: DocumentVisit): Promise<Body> {
  const { read } = kindOf(kind);
  if (read.from !== 'beside') throw new Error(`${kind} stands beside nothing`);
  const input = { path: pathFor(read.operation, params), query: read.query ?? {} };
  const answer = await walk.client.callRaw(read.operation, input, { signal: walk.signal, largeLists: LISTS });
  const { document } = isRecord(answer) ? answer : {};
  // Without nodes it holds no text: right for an empty page alone.
  const isEmpty = !hasWords(walk.mirror, scope);
  const isWhole = isRecord(document) && (isList(document['nodes']) || isEmpty);
  if (isRecord(answer) && isWhole) return answer;
  const isWithout = isRecord(answer) && answer['id'] === params[ownParameter(kind)] && !isRecord(document);
  if (isWithout && isEmpty && heldDocument(walk, kind, params) === undefined) return answer;
  // In another form, or in none: this one is unknown to it.
  const code = isWithout ? 'DM_NO_DOCUMENT' : 'DM_BAD_RESPONSE';
  throw new AppError(code, `The answer for ${kind} ${keyOf(kind, params)} has no document`, {
    hint: 'Set walk.documents to false if this platform has no document trees.',
  });
}

/**
 * Takes in a document. One of another text than the page has is left out: the page moved between the two reads. Nothing compares the
 * revision after a late one, so the whole tree of pages is read again then. The same happens when the page of a late one is not there:
 * the tree, and a direct read of what it lacks, tell whether the page is gone; a second "not found" of a page that the tree still shows
 * is a failure.
 */
export function takeDocument(walk: Walk, visit: DocumentVisit, body: Body | null): void {
  const { kind, params, scope, late, again = false } = visit;
  if (body === null) return readRequestAgain(walk, params);
  // The page has ended since, as one that the change request shows as its space does: that has the document of the space.
  if (!isHeld(walk.mirror, scope)) return;
  const { document, documentId } = body;
  // A page that shows no text in any form.
  if (!isRecord(document)) return;
  const text = documentIdOf(walk, scope);
  if (text !== undefined && typeof documentId === 'string' && documentId !== text) {
    if (late === true) readRequestAgain(walk, params);
    // What is held of the page stands until its tree of pages is read once more.
    else if (!again) countDocument(walk, kind, params);
    return;
  }
  take(walk, { kind, params, scope, again, body: { ...(documentId === undefined ? {} : { documentId }), document } });
  knowForm(walk, { kind });
}

function readRequestAgain(walk: Walk, { spaceId = '', changeRequestId = '' }: PageBeside['params']): void {
  const params = { spaceId, changeRequestId };
  const rid = currentOf(walk.mirror, 'change-request', keyOf('change-request', params))?.rid;
  if (rid !== undefined) readAgain(walk, 'change-request-revision', { holder: { rid, params }, mark: '' });
}

/** The id of a page's text: another text has another id. */
function documentIdOf(walk: Walk, rid: number): string | undefined {
  const id = bodyOf(walk.mirror, rid)?.['documentId'];
  return typeof id === 'string' ? id : undefined;
}
