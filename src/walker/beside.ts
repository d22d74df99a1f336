// What is fetched beside a resource where the walk is set to do so: texts as document trees, PDFs of change requests.
import { AppError, isRecord } from '../base/index.ts';
import { kindOf, type KindName } from '../contract/index.ts';
import { addVisit, bodyOf, currentOf, heldOf, keyOf, wasRouted } from '../mirror/index.ts';
import { storeBytes, type Bytes } from './entries.ts';
import { undocumented } from './failures.ts';
import { pathFor } from './path.ts';
import { placeOf, STAGES } from './order.ts';
import { keptBody, type Body } from './parts.ts';
import { take } from './take.ts';
import type { Walk } from './types.ts';
import { besides, isWanted } from './wanted.ts';

/** Parameters of a `document` or `pdf` visit. */
export interface BesideVisit {
  readonly kind: KindName;
  readonly params: Readonly<Record<string, string>>;
  /** Number of the resource that it stands beside. */
  readonly scope: number;
  /** For a PDF: the revision that it shows. */
  readonly revision?: string;
}

interface Beside {
  readonly kind: KindName;
  readonly params: Readonly<Record<string, string>>;
  readonly rid: number;
  /** Only where there is none yet. */
  readonly onlyNew?: boolean;
}

/** Adds the visits of document trees beside a page whose text is read. */
export function besideVisits(walk: Walk, { kind, params, rid, onlyNew = false }: Beside): void {
  if (walk.settings.documents !== true) return;
  for (const own of besides(kind)) {
    if (!isWanted(walk, own)) continue;
    if (onlyNew && typeof currentOf(walk.mirror, own, keyOf(own, params))?.vid === 'number') continue;
    const visit: BesideVisit = { kind: own, params, scope: rid };
    addVisit(walk, { task: 'document', params: { ...visit }, place: placeOf(walk, params) });
  }
}

/** Reads a page as the tree of blocks. */
export async function readDocument(walk: Walk, { kind, params }: BesideVisit): Promise<Body> {
  const { read } = kindOf(kind);
  if (read.from !== 'beside') throw new Error(`${kind} stands beside nothing`);
  const input = { path: pathFor(read.operation, params), query: read.query ?? {} };
  const answer = await walk.client.callRaw(read.operation, input, { signal: walk.signal });
  if (isRecord(answer) && isRecord(answer['document'])) return answer;
  throw new AppError('DM_BAD_RESPONSE', `The answer for ${kind} ${keyOf(kind, params)} has no document`, {
    hint: 'Set walk.documents to false if this platform has no document trees.',
  });
}

export function takeDocument(walk: Walk, { kind, params, scope }: BesideVisit, body: Body): void {
  const { document, documentId } = body;
  take(walk, { kind, params, scope, body: { ...(documentId === undefined ? {} : { documentId }), document } });
}

/** Adds a visit for each change request that this walk is about and whose PDF is not of its revision. */
export function takePdfs(walk: Walk): void {
  const kind = 'change-request-pdf';
  if (!isWanted(walk, kind)) return;
  for (const request of heldOf(walk.mirror, 'change-request')) {
    if (!isInside(walk, request.params['spaceId'] ?? '')) continue;
    const revision = bodyOf(walk.mirror, request.rid)?.['revision'];
    const known = currentOf(walk.mirror, kind, request.key);
    const held = typeof known?.vid === 'number' ? bodyOf(walk.mirror, known.rid)?.['revision'] : undefined;
    if (typeof revision !== 'string' || (held === revision && walk.mode === 'incremental')) continue;
    const visit: BesideVisit = { kind, params: request.params, scope: request.rid, revision };
    addVisit(walk, { task: 'pdf', stage: STAGES.absent, params: { ...visit }, place: placeOf(walk, request.params) });
  }
}

/** False for a space that a walk of named spaces or collections did not come by. */
function isInside(walk: Walk, space: string): boolean {
  const { onlySpaces, onlyCollections = null } = walk.scope;
  if (onlySpaces === null && onlyCollections === null) return true;
  const rid = currentOf(walk.mirror, 'space', space)?.rid;
  return rid !== undefined && wasRouted(walk, rid);
}

export interface Pdf extends Bytes {
  readonly url: string;
}

/** Lets the platform draw the PDF and brings its bytes into the object store. */
export async function readPdf(walk: Walk, { kind, params }: BesideVisit): Promise<Pdf> {
  const operation = 'getChangeRequestPdf';
  const answer = await walk.client.callRaw(operation, { path: pathFor(operation, params) }, { signal: walk.signal });
  const url = isRecord(answer) ? answer['url'] : undefined;
  if (typeof url !== 'string') {
    throw undocumented(`The PDF of change request ${keyOf(kind, params)} has no address`);
  }
  return { url, ...(await storeBytes(walk, { address: url, name: `pdf-${keyOf(kind, params)}` })) };
}

export function takePdf(walk: Walk, { kind, params, scope, revision }: BesideVisit, { url, sha256, size }: Pdf): void {
  const name = `change-request-${params['changeRequestId'] ?? ''}.pdf`;
  const body = keptBody(kind, { name, contentType: 'application/pdf', size, revision, url });
  take(walk, { kind, params, scope, body, object: { sha256, size } });
}
