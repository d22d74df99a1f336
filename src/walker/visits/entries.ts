// The visits of a page's text and of a file's bytes.
import { directRead, pathFor } from '../../contract/index.ts';
import { isRecord, sha256, tellingGone } from '../../base/index.ts';
import { ApiError } from '../../client/index.ts';
import {
  bodyOf,
  clearShortage,
  doubtedMark,
  hasWords,
  isTextUnread,
  keyOf,
  knownOf,
  markOf,
  noteShortage,
  setMark,
  textToKeep,
  unreadMark,
  type Doubt,
} from '../../mirror/index.ts';
import { isCounted } from './counted.ts';
import { demandSame } from './demand-id.ts';
import { endDocuments, renewDocuments } from './documents.ts';
import { recordFailure, undocumented } from '../failures.ts';
import { keptBody, type Body } from './parts.ts';
import { isUntold, tellsOfText } from './page-text.ts';
import { isBelieved } from './shortage.ts';
import { take } from '../take.ts';
import type { Entry } from './tree.ts';
import type { Walk } from '../types.ts';

/** Reads a page with its text as Markdown. */
export async function readPage(walk: Walk, visit: Entry): Promise<Body> {
  const operation = directRead(visit.kind);
  const input = { path: pathFor(operation, visit.params), query: { format: 'markdown' } };
  const answer = await walk.client.callRaw(operation, input, { signal: walk.signal });
  const page = keyOf(visit.kind, visit.params);
  if (!isRecord(answer)) throw undocumented(`The answer for page ${page} is not an object`);
  demandSame(visit, answer);
  const { type, documentId } = visit.entry;
  const isToldOf = typeof documentId === 'string' || isRecord(answer['document']);
  if (type === 'document' && isToldOf && typeof answer['markdown'] !== 'string')
    throw undocumented(`The answer for page ${page} has no text; expected Markdown`);
  return answer;
}

/**
 * Takes in a page: what the tree said decides about "changed", what the page itself said is kept. A text that is empty now, and was not
 * under the same id, is no answer.
 */
export function takePage(walk: Walk, visit: Entry, body: Body): void {
  // Half of a character, which JSON can name alone, has no bytes that a file or SQLite could hold.
  const read = typeof body['markdown'] === 'string' ? body['markdown'].toWellFormed() : null;
  const { entry, ...place } = visit;
  const held = knownOf(walk.mirror, visit);
  const text = read && textToKeep(walk.mirror, walk.signedTexts, { ...place, held: held?.text ?? null, text: read });
  const kept = keptBody(visit.kind, { ...entry, ...body });
  if (text === '' && refuseEmptied(walk, visit, kept)) return;
  // Of another revision than the tree: it must not pass for what the tree told of.
  const doubt = doubtIn(entry, kept);
  const own = doubt === 'text' ? markOf(visit.kind, kept) : visit.mark;
  const mark = doubt === null ? own : doubtedMark(doubt, own);
  const seen = { ...place, again: isCounted(visit), body: kept, text, mark };
  const { rid, outcome, text: now } = take(walk, seen, { known: held });
  // Whatever it is, it is what the platform shows now.
  if (outcome !== 'added') clearShortage(walk.mirror, { scope: rid, kind: visit.kind });
  if (text === null && !tellsOfText(kept)) return endDocuments(walk, visit);
  // The title, the icon or the place of a page may change beside the same text.
  const wasSame = text !== null && held?.text === now;
  renewDocuments(walk, { ...visit, rid, text: kept['documentId'], wasSame });
}

/**
 * Takes in of a page that could not be read, and never was, what its entry in the tree tells: its name, and the place that others stand
 * below. What was read before stays as it was, and what would pass for an empty page, or for one that shares the text of its space, is
 * not taken in.
 */
export function takeUnreadPage(walk: Walk, visit: Entry): void {
  const { entry, ...place } = visit;
  const known = knownOf(walk.mirror, visit);
  const isUnread = (body: Body): boolean => isTextUnread({ kind: visit.kind, text: null, body });
  if (!isUnread(entry) || typeof known?.text === 'number') return;
  if (typeof known?.vid === 'number' && !isUnread(bodyOf(walk.mirror, known.rid) ?? {})) return;
  const seen = { ...place, again: isCounted(visit), body: keptBody(visit.kind, entry), text: null };
  take(walk, { ...seen, mark: unreadMark(visit.mark) }, { known });
}

/** Refuses an empty text under the id of a text that is held, since another text has another id: that stands until a later night shows the same. */
function refuseEmptied(walk: Walk, { kind, params, scope }: Entry, page: Body): boolean {
  const known = knownOf(walk.mirror, { kind, params });
  if (known === undefined || !hasWords(walk.mirror, known.rid)) return false;
  const id = bodyOf(walk.mirror, known.rid)?.['documentId'];
  const place = { scope: known.rid, kind };
  if (typeof id !== 'string' || id !== page['documentId'] || isBelieved(walk, { ...place, missing: 1 })) return false;
  noteShortage(walk, place, 1);
  const what = `The text of ${kind} ${keyOf(kind, params)} is empty, and was not under the same documentId (${id})`;
  recordFailure(walk, { kind, resource: keyOf(kind, params), scope }, undocumented(what));
  return true;
}

const PLACE = ['type', 'title', 'slug', 'path'];

/** How a page does not agree with its entry in the tree, in what that tells. */
function doubtIn(entry: Body, page: Body): Doubt | null {
  if (!isUntold(entry) && entry['documentId'] !== page['documentId']) return 'text';
  return PLACE.some((field) => entry[field] !== undefined && entry[field] !== page[field]) ? 'place' : null;
}

export interface Bytes {
  readonly sha256: string;
  readonly size: number;
}

// As stores answer for an address that has expired (some as for a wrong request), and for what is not there any more.
const EXPIRED: ReadonlySet<number | null> = new Set([400, 401, 403, 404, 410]);

/** Brings the bytes of a file into the object store. An address that has expired is asked for anew, once: the platform says whether the file is there. */
export async function readFile(walk: Walk, visit: Entry): Promise<Bytes> {
  try {
    return await download(walk, visit, visit.entry);
  } catch (error) {
    if (!(error instanceof ApiError) || !EXPIRED.has(error.status)) throw error;
    const operation = directRead(visit.kind);
    const fresh = await walk.client.callRaw(
      operation,
      { path: pathFor(operation, visit.params) },
      { signal: walk.signal },
    );
    if (!isRecord(fresh)) throw undocumented(`The answer for file ${keyOf(visit.kind, visit.params)} is not an object`);
    demandSame(visit, fresh);
    return download(walk, visit, fresh);
  }
}

async function download(walk: Walk, visit: Entry, entry: Body): Promise<Bytes> {
  const address = entry['downloadURL'];
  const size = entry['size'];
  if (typeof address !== 'string') {
    throw undocumented(`File ${keyOf(visit.kind, visit.params)} has no download address`);
  }
  const name = keyOf(visit.kind, visit.params);
  return storeBytes(walk, { address, name, ...(typeof size === 'number' ? { size } : {}) });
}

interface Stored {
  readonly address: string;
  readonly name: string;
  readonly size?: number;
  /** Looks at the file before it is taken in; what it does not let pass it removes, and throws. */
  readonly judge?: (file: string) => Promise<void>;
}

/** Streams the bytes behind an address into the object store. */
export async function storeBytes(
  { client, mirror, id, signal }: Walk,
  { address, name, size, judge }: Stored,
): Promise<Bytes> {
  // Ids hold what file names may not, and several files come at once.
  try {
    const toPath = mirror.objects.temporary(`${id}-${sha256(name)}`);
    const expected = size === undefined ? {} : { expectedSize: size };
    const bytes = await client.download(address, { toPath, ...expected, signal });
    await judge?.(toPath);
    await mirror.objects.adopt(toPath, bytes.sha256);
    return bytes;
  } catch (error) {
    throw tellingGone(error, mirror.objects.folder);
  }
}

/** Takes in a file. One whose address alone is another, as where that holds a signature, is no other file. */
export function takeFile(walk: Walk, visit: Entry, { sha256: hash, size }: Bytes): void {
  const { entry, ...place } = visit;
  const body = keptBody(visit.kind, entry);
  const seen = { ...place, again: isCounted(visit), body, object: { sha256: hash, size } };
  const known = knownOf(walk.mirror, seen);
  const held = known?.object === hash ? bodyOf(walk.mirror, known.rid) : undefined;
  const isSame = held !== undefined && markOf(visit.kind, held) === markOf(visit.kind, body);
  const { rid } = take(walk, isSame && typeof known?.mark === 'string' ? { ...seen, mark: known.mark } : seen, {
    known,
  });
  if (isSame) setMark(walk.mirror, rid, visit.mark);
}
