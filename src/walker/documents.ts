// The texts of pages as trees of blocks, where the walk is set to read them: one request more beside each page that is read.
import { AppError, isRecord } from '../base/index.ts';
import { kindOf, type KindName } from '../contract/index.ts';
import { addVisit, beganIn, bodyOf, currentOf, doubt, isCertain, keyOf } from '../mirror/index.ts';
import { pathFor } from './path.ts';
import { placeOf } from './order.ts';
import type { Body } from './parts.ts';
import { take } from './take.ts';
import type { Walk } from './types.ts';
import { besides, isWanted } from './wanted.ts';

/** Parameters of a `document` visit. */
export interface DocumentVisit {
  readonly kind: KindName;
  readonly params: Readonly<Record<string, string>>;
  /** Number of the page that it stands beside. */
  readonly scope: number;
  /** Id of the text that the tree of the revision told of. */
  readonly documentId?: unknown;
}

/** A page, beside which its tree stands. */
export interface PageBeside {
  readonly kind: KindName;
  readonly params: Readonly<Record<string, string>>;
  readonly rid: number;
  /** Id of its text, as the tree of the revision tells it. */
  readonly documentId: unknown;
}

/**
 * Adds the visits of document trees beside a page whose text is read. Until one is made, the tree that is held is doubted: a visit
 * may fail or be left to another night, and by then the page itself is unchanged.
 */
export function documentVisits(walk: Walk, page: PageBeside): void {
  doubtDocuments(walk, page);
  addDocuments(walk, page, besides(page.kind));
}

/** The same beside a page that is unchanged, for trees that are not there yet or were doubted. */
export function missingDocumentVisits(walk: Walk, page: PageBeside): void {
  if (walk.settings.documents !== true) return;
  const missing = besides(page.kind).filter((own) => !isCertain(currentOf(walk.mirror, own, keyOf(own, page.params))));
  addDocuments(walk, page, missing);
}

/** What stands beside a page may be of another text than the page is now. */
export function doubtDocuments(walk: Walk, { kind, params }: Pick<PageBeside, 'kind' | 'params'>): void {
  for (const own of besides(kind)) doubt(walk.mirror, own, keyOf(own, params));
}

function addDocuments(walk: Walk, { params, rid, documentId }: PageBeside, kinds: readonly KindName[]): void {
  if (walk.settings.documents !== true) return;
  for (const kind of kinds) {
    if (!isWanted(walk, kind)) continue;
    const visit: DocumentVisit = { kind, params, scope: rid, ...(documentId === undefined ? {} : { documentId }) };
    addVisit(walk, { task: 'document', params: { ...visit }, place: placeOf(walk, params) });
  }
}

/** Reads a page as the tree of blocks. */
export async function readDocument(walk: Walk, { kind, params }: DocumentVisit): Promise<Body> {
  const { read } = kindOf(kind);
  if (read.from !== 'beside') throw new Error(`${kind} stands beside nothing`);
  const input = { path: pathFor(read.operation, params), query: read.query ?? {} };
  const answer = await walk.client.callRaw(read.operation, input, { signal: walk.signal });
  if (isRecord(answer) && isRecord(answer['document'])) return answer;
  throw new AppError('DM_BAD_RESPONSE', `The answer for ${kind} ${keyOf(kind, params)} has no document`, {
    hint: 'Set walk.documents to false if this platform has no document trees.',
  });
}

/** Takes in a tree. One of another text than that of the page is kept and doubted: the two were read while the page moved. */
export function takeDocument(walk: Walk, visit: DocumentVisit, body: Body): void {
  const { kind, params, scope } = visit;
  const { document, documentId } = body;
  take(walk, { kind, params, scope, body: { ...(documentId === undefined ? {} : { documentId }), document } });
  const beside = idBeside(walk, visit);
  const isOther = typeof documentId === 'string' && typeof beside === 'string' && documentId !== beside;
  if (isOther) doubt(walk.mirror, kind, keyOf(kind, params));
}

/** The id of the text of the page: as this walk has read it, else as the tree of its revision told it. */
function idBeside(walk: Walk, { scope, documentId }: DocumentVisit): unknown {
  return beganIn(walk, scope) ? bodyOf(walk.mirror, scope)?.['documentId'] : documentId;
}
