// The PDFs of change requests, where the walk is asked for them.
import { isRecord } from '../../base/index.ts';
import { pathFor, type KindName } from '../../contract/index.ts';
import { addVisit, bodyOf, countKind, heldByKey, heldOf, keyOf, type Held } from '../../mirror/index.ts';
import { demandPdf } from './pdf-bytes.ts';
import { storeBytes, type Bytes } from './entries.ts';
import { undocumented } from '../failures.ts';
import { placeOf, STAGES } from '../order.ts';
import { keptBody, type Body } from './parts.ts';
import { isInside } from '../scope.ts';
import { take } from '../take.ts';
import type { Walk } from '../types.ts';
import { isWanted } from '../wanted.ts';

/** Parameters of a `pdf` visit. */
export interface PdfVisit {
  readonly kind: KindName;
  readonly params: Readonly<Record<string, string>>;
  /** Number of the change request. */
  readonly scope: number;
  /** The revision that it shows. */
  readonly revision?: string;
}

const kind = 'change-request-pdf';

/** Adds a visit for each change request that this walk is about and whose PDF is not of its revision. */
export function takePdfs(walk: Walk): void {
  if (!isWanted(walk, kind)) return;
  for (const request of heldOf(walk.mirror, 'change-request')) {
    if (!isInside(walk, request.params['spaceId'] ?? '')) continue;
    const revision = revisionToDraw(walk, request);
    if (revision === null) continue;
    const visit: PdfVisit = { kind, params: request.params, scope: request.rid, revision };
    addVisit(walk, { task: 'pdf', stage: STAGES.beside, params: { ...visit }, place: placeOf(walk, request.params) });
  }
}

/** The revision that a change request shows and its PDF does not; null where the PDF that is held will do. */
export function revisionToDraw(walk: Pick<Walk, 'mirror' | 'mode'>, { rid, key }: Held): string | null {
  const revision = bodyOf(walk.mirror, rid)?.['revision'];
  return isToDraw(walk, revision, heldPdf(walk, key)) ? revision : null;
}

interface Counted {
  readonly key: string;
  readonly body: Body;
  /** What an earlier reading of its listing in this walk has told of it, by which its PDF was counted. */
  readonly before: Body | undefined;
}

/** Counts the PDF beside a change request that was taken in, once, unless this walk has it drawn anew. */
export function countPdf(walk: Walk, { key, body, before }: Counted): void {
  const held = heldPdf(walk, key);
  if (held === undefined || !isWanted(walk, kind)) return;
  const standing = (told: Body | undefined): number =>
    told === undefined || (walk.settings.pdfs === true && isToDraw(walk, told['revision'], held)) ? 0 : 1;
  const amount = standing(body) - standing(before);
  if (amount !== 0) countKind(walk, kind, { seen: amount, unchanged: amount });
}

/** What is held of a PDF. */
function heldPdf(walk: Pick<Walk, 'mirror'>, key: string): Body | undefined {
  const held = heldByKey(walk.mirror, kind, key);
  return held && bodyOf(walk.mirror, held.rid);
}

function isToDraw(walk: Pick<Walk, 'mode'>, revision: unknown, held: Body | undefined): revision is string {
  if (typeof revision !== 'string') return false;
  return walk.mode === 'full' || held?.['revision'] !== revision;
}

export interface Pdf extends Bytes {
  readonly url: string;
}

/** Lets the platform draw the PDF and brings its bytes into the object store. */
export async function readPdf(walk: Walk, { params }: PdfVisit): Promise<Pdf> {
  const operation = 'getChangeRequestPdf';
  const answer = await walk.client.callRaw(operation, { path: pathFor(operation, params) }, { signal: walk.signal });
  const url = isRecord(answer) ? answer['url'] : undefined;
  if (typeof url !== 'string') {
    throw undocumented(`The PDF of change request ${keyOf(kind, params)} has no address`);
  }
  const judge = (file: string): Promise<void> => demandPdf(file, keyOf(kind, params));
  return { url, ...(await storeBytes(walk, { address: url, name: `pdf-${keyOf(kind, params)}`, judge })) };
}

export function takePdf(walk: Walk, { params, scope, revision }: PdfVisit, { url, sha256, size }: Pdf): void {
  const name = `change-request-${params['changeRequestId'] ?? ''}.pdf`;
  const body = keptBody(kind, { name, contentType: 'application/pdf', size, revision, url });
  take(walk, { kind, params, scope, body, object: { sha256, size } });
}
