// Texts and JSON: is each what was stored?
import { codeOf, type Pieces } from '../../base/index.ts';
import { decompress } from '../bodies/compress.ts';
import { HASH_TABLES } from '../bodies/body-hash.ts';
import { withHolders } from './holders.ts';
import { hasHashes } from './body-references.ts';
import type { CheckProblem } from './check.ts';
import type { Mirror } from '../database/database.ts';
import { rangesOf, withinSql } from '../database/ranges.ts';
import { isWhole } from '../bodies/whole-bodies.ts';
import type { Unseen } from './unseen.ts';

const BATCH = 1000;
// Where whole branches are gone, nothing is found by looking closer.
const MOST_TORN = 2000;

export interface BodiesRead {
  readonly problems: CheckProblem[];
  readonly count: number;
  /** Bytes of the texts, as they are when read. */
  readonly bytes: number;
}

/** Which of the stored things are read: those whose hash begins from here up to there; hashes are spread evenly. */
export interface Portion {
  /** Above or at this, up to but without that: parts of all hashes, from 0 to 1. */
  readonly from: number;
  readonly to: number;
}

const HASH_STARTS = 65_536;

/** The bounds of a portion as the first bytes of hashes. */
export function boundsOf({ from, to }: Portion): readonly [Buffer, Buffer] {
  return [bound(from), bound(to)];
}

function bound(part: number): Buffer {
  const start = Math.round(part * HASH_STARTS);
  // Above every hash.
  if (start >= HASH_STARTS) return Buffer.alloc(33, 0xff);
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(start);
  return bytes;
}

/**
 * JSON that is none any more, whatever else is read: the views show its row with nulls, and somebody has to say why. Far cheaper
 * than comparing all texts with their hashes.
 */
function* brokenJson(mirror: Mirror): Pieces<CheckProblem[]> {
  const broken = new Set<number>();
  for (const { table, column } of JSON_HOLDERS) {
    const rows = mirror.store.prepare<{ bid: number }>(
      `select b.bid from ${table} h cross join bodies b on b.bid = h.body
       where ${withinSql(`h.${column}`)} and not json_valid(b.data)`,
    );
    for (const range of rangesOf(mirror, { table, column, size: BATCH })) {
      for (const { bid } of rows.all(range)) broken.add(bid);
      yield;
    }
  }
  return [...broken].toSorted((a, b) => a - b).map((bid) => damage(bid, 'it is no JSON any more'));
}

/** Whose bodies are JSON, each with the number of its rows. */
const JSON_HOLDERS = [
  { table: 'versions', column: 'vid' },
  { table: 'shared_entries', column: 'rid' },
] as const;

/** What is read where the texts are, in words. */
export const TEXTS = 'texts';

export interface BodiesReading {
  readonly portion: Portion;
  readonly told: Told;
  /** Told what could not be read. */
  readonly unseen: Unseen;
}

/** Told how many pieces of the texts that stand were read; those that they superseded come after them. */
type Told = (done: number, total: number) => void;

/** Reads the texts of a portion, superseded ones too, and compares each with its hash. Holds few of them at a time. */
export function* readBodies(mirror: Mirror, reading: BodiesReading): Pieces<BodiesRead> {
  const { portion, unseen } = reading;
  const plain = yield* readPlain(mirror, reading);
  const superseded = (yield* unseen.piecesOrNull(TEXTS, readSuperseded(mirror, boundsOf(portion)))) ?? NONE_READ;
  const found = [...plain.problems, ...superseded.problems];
  const known = new Set(found.map(({ which }) => which));
  const broken = (yield* unseen.piecesOrNull('JSON', brokenJson(mirror))) ?? [];
  const all = [...found, ...broken.filter(({ which }) => !known.has(which))];
  return {
    problems: unseen.orNull('what holds damaged texts', () => withHolders(mirror, all)) ?? all,
    count: plain.count + superseded.count,
    bytes: plain.bytes + superseded.bytes,
  };
}

export const NONE_READ: BodiesRead = { problems: [], count: 0, bytes: 0 };

interface PlainRead {
  readonly count: number;
  readonly bytes: number | null;
  /** A list as JSON. */
  readonly damaged: string;
}

/** Compared inside SQLite: only what is damaged is told. */
function* readPlain({ store }: Mirror, { portion, told, unseen }: BodiesReading): Pieces<BodiesRead> {
  const { within, pieces } = plainPieces(store, portion);
  const read = store.prepare<PlainRead>(
    `select count(*) as count, sum(size) as bytes, json_group_array(bid) filter (where docmirror_hash(data) <> hash) as damaged
     from bodies where ${within}`,
  );
  const problems: CheckProblem[] = [];
  let count = 0;
  let bytes = 0;
  let torn = 0;
  for (const [index, piece] of pieces.entries()) {
    told(index, pieces.length);
    // Those beside a page that is none are read by fewer at once.
    const found = unseen.orNull(TEXTS, () => read.get(piece));
    if (found === null && torn++ < MOST_TORN) pieces.splice(index + 1, 0, ...halvesOf(piece));
    count += found?.count ?? 0;
    bytes += found?.bytes ?? 0;
    const damaged = JSON.parse(found?.damaged ?? '[]') as number[];
    problems.push(...damaged.map((bid) => damage(bid, 'its text has another hash')));
    yield;
  }
  return { problems, count, bytes };
}

/** What is at or above one bound and below the other: hashes, or numbers of texts. */
interface Piece {
  readonly from: Buffer | number;
  readonly below: Buffer | number;
}

function halvesOf({ from, below }: Piece): Piece[] {
  if (typeof from !== 'number' || typeof below !== 'number' || below - from < 2) return [];
  const middle = Math.floor((from + below) / 2);
  return [
    { from, below: middle },
    { from: middle, below },
  ];
}

interface PlainPieces {
  /** SQL that is true of the texts of a piece. */
  readonly within: string;
  readonly pieces: Piece[];
}

/** A portion is read text by text, by their hashes; all of them in the order in which they lie. */
function plainPieces(store: Mirror['store'], { from, to }: Portion): PlainPieces {
  const ofAll = (what: string): number =>
    store.prepare<{ n: number | null }>(`select ${what} as n from bodies`).get()?.n ?? 0;
  if (from === 0 && to === 1) {
    const starts = Array.from({ length: Math.floor(ofAll('max(bid)') / BATCH) + 1 }, (_, index) => index * BATCH);
    return { within: 'bid >= @from and bid < @below', pieces: starts.map((from) => ({ from, below: from + BATCH })) };
  }
  const count = ofAll('count(*)');
  const parts = Math.max(1, Math.ceil((count * (to - from)) / BATCH));
  const at = (part: number): number => from + ((to - from) * part) / parts;
  const pieces = Array.from({ length: parts }, (_, part) => pieceOf({ from: at(part), to: at(part + 1) }));
  const listed = HASH_TABLES.map((table) => `select bid from ${table} where hash >= @from and hash < @below`);
  return {
    within: hasHashes({ store }) ? `bid in (${listed.join(' union all ')})` : 'hash >= @from and hash < @below',
    pieces,
  };
}

function pieceOf(portion: Portion): Piece {
  const [from, below] = boundsOf(portion);
  return { from, below };
}

function* readSuperseded({ store }: Mirror, bounds: readonly [Buffer, Buffer]): Pieces<BodiesRead> {
  const rows = store.prepare<{ bid: number; hash: Buffer }>(
    `select bid, hash from superseded where bid > ? and hash >= ? and hash < ? order by bid limit ${BATCH}`,
  );
  const problems: CheckProblem[] = [];
  let count = 0;
  let bytes = 0;
  for (let batch = rows.all(0, ...bounds); batch.length > 0; batch = rows.all(batch.at(-1)?.bid, ...bounds)) {
    for (const { bid, hash } of batch) {
      const data = readableText(store, bid);
      count += 1;
      bytes += data === null ? 0 : Buffer.byteLength(data);
      if (data === null) problems.push(damage(bid, 'it can no longer be read'));
      else if (!isWhole({ hash, data })) problems.push(damage(bid, 'its text has another hash'));
    }
    yield;
  }
  return { problems, count, bytes };
}

function damage(bid: number, problem: string): CheckProblem {
  return { what: 'body', which: String(bid), problem };
}

/** A text in whatever form; null when it is damaged, or another on the way to it. */
function readableText(store: Mirror['store'], bid: number): string | null {
  try {
    return storedText(store, bid);
  } catch (error) {
    // Inflating damaged bytes fails; a database that cannot be read is another matter.
    if (error instanceof Error && codeOf(error)?.startsWith('SQLITE_') !== true) return null;
    throw error;
  }
}

function storedText(store: Mirror['store'], bid: number): string | null {
  const row = store
    .prepare<{ base: number | null; data: Buffer }>('select base, data from superseded where bid = ?')
    .get(bid);
  if (row) return decompress(row.data, row.base === null ? null : storedText(store, row.base));
  return store.prepare<{ data: string }>('select data from bodies where bid = ?').get(bid)?.data ?? null;
}
