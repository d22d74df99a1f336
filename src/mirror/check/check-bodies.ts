// Texts and JSON: is each that is named there, and is it what was stored?
import type { Pieces } from '../../base/index.ts';
import { decompress } from '../bodies/compress.ts';
import { HASH_TABLES, listedInOrderSql } from '../bodies/body-hash.ts';
import { kindNames } from '../../contract/index.ts';
import { withHolders } from './body-holders.ts';
import type { CheckProblem } from './check.ts';
import type { Mirror } from '../database/database.ts';
import { isSharedKind, OF_TREE, SHARED_KINDS } from '../observe/shared-trees.ts';
import { wordsSql } from '../database/words-sql.ts';
import { isWhole } from '../bodies/whole-bodies.ts';

const MOST_SHOWN = 20;
const BATCH = 1000;

interface Rule {
  readonly what: string;
  readonly problem: string;
  readonly sql: string;
}

const MAIN = `case c.kind ${kindNames
  .filter(isSharedKind)
  .map((kind) => `when '${kind}' then '${SHARED_KINDS[kind].main}'`)
  .join(' ')} end`;

const RULES: readonly Rule[] = [
  ...['body', 'text'].map((role) => ({
    what: 'versions',
    problem: 'names a row that is not in bodies',
    sql: `select vid as id from versions where ${role} not in (select bid from bodies) and ${role} not in (select bid from superseded)`,
  })),
  ...['body', 'text', 'document'].map((role) => ({
    what: 'shared_entries',
    problem: 'names a row that is not in bodies',
    sql: `select series || '/' || rid as id from shared_entries where ${role} not in (select bid from bodies) and ${role} not in (select bid from superseded)`,
  })),
  {
    what: 'shared_entries',
    problem: 'names a row that is not in resources',
    sql: `select series || '/' || rid as id from shared_entries where parent not in (select rid from resources)`,
  },
  {
    what: 'versions',
    problem: 'is of what the change request shows as its space did, too',
    sql: `select v.vid as id from resources c cross join versions v on v.rid = c.rid cross join shared_trees st on st.rid = c.scope and st.kind = c.kind
      and st.valid_from < coalesce(v.valid_to, st.valid_from + 1) and v.valid_from < coalesce(st.valid_to, v.valid_from + 1)
      cross join resources p on p.kind = ${MAIN} and p.key = c.space || '/' || c.id cross join shared_entries e on ${OF_TREE} and e.rid = p.rid
      where c.kind in (${wordsSql(kindNames.filter(isSharedKind))})`,
  },
  {
    what: 'shared_trees',
    problem: 'says that it has another number of entries than there are',
    sql: `select tid as id from shared_trees st where (st.amount, st.documents) is not
      (select count(*), count(e.document) from shared_entries e where ${OF_TREE})`,
  },
  {
    what: 'versions',
    problem: 'names a row that is not in resources',
    sql: 'select vid as id from versions where parent not in (select rid from resources)',
  },
  {
    what: 'superseded',
    problem: 'was compressed against a row that is not there',
    sql: 'select bid as id from superseded where base not in (select bid from bodies) and base not in (select bid from superseded)',
  },
  {
    what: 'superseded',
    problem: 'is not known to the body it was compressed against',
    sql: `select s.bid as id from superseded s join bodies b on b.bid = s.base where b.dependent is not s.bid
union select b.bid from bodies b left join superseded s on s.bid = b.dependent where b.dependent is not null and s.base is not b.bid`,
  },
  {
    what: 'superseded',
    problem: 'is plain too',
    sql: 'select bid as id from superseded where bid in (select bid from bodies)',
  },
];

/** Texts that are found by another hash than their own, and those that are not found and would be stored a second time. */
const HASH_RULES: readonly Rule[] = [
  ...HASH_TABLES.map((table) => ({
    what: 'bodies',
    problem: 'is found by a hash that is not its own',
    sql: `select h.bid as id from ${listedInOrderSql(table)} h left join bodies b on b.bid = h.bid where b.hash is not h.hash`,
  })),
  {
    what: 'bodies',
    problem: 'is found by no hash',
    sql: `select bid as id from bodies where ${HASH_TABLES.map((table) => `bid not in (select bid from ${table})`).join(' and ')}`,
  },
];

/** Rows that name rows which are not there. */
export function* bodyReferences(mirror: Mirror): Pieces<CheckProblem[]> {
  const rules = hasHashes(mirror) ? [...RULES, ...HASH_RULES] : RULES;
  const problems: CheckProblem[] = [];
  for (const { what, problem, sql } of rules) {
    const found = mirror.store.prepare<{ id: number | string }>(`${sql} limit ${MOST_SHOWN}`).all();
    problems.push(...found.map(({ id }) => ({ what: 'reference' as const, which: `${what} ${id}`, problem })));
    yield;
  }
  return problems;
}

/** False for a mirror that an earlier program wrote and none has written to since. */
function hasHashes({ store }: Pick<Mirror, 'store'>): boolean {
  return store.prepare(`select 1 from sqlite_schema where name = 'body_hashes'`).get() !== undefined;
}

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
function brokenJson({ store }: Mirror): CheckProblem[] {
  return store
    .prepare<{ bid: number }>(
      `select bid from bodies where not json_valid(data)
       and (bid in (select body from versions) or bid in (select body from shared_entries)) order by bid`,
    )
    .all()
    .map(({ bid }) => damage(bid, 'it is no JSON any more'));
}

/** Told how many pieces of the texts that stand were read; those that they superseded come after them. */
type Told = (done: number, total: number) => void;

/** Reads the texts of a portion, superseded ones too, and compares each with its hash. Holds few of them at a time. */
export function* readBodies(mirror: Mirror, portion: Portion, told: Told): Pieces<BodiesRead> {
  const plain = yield* readPlain(mirror, portion, told);
  const superseded = yield* readSuperseded(mirror, boundsOf(portion));
  const found = [...plain.problems, ...superseded.problems];
  const known = new Set(found.map(({ which }) => which));
  return {
    problems: withHolders(mirror, [...found, ...brokenJson(mirror).filter(({ which }) => !known.has(which))]),
    count: plain.count + superseded.count,
    bytes: plain.bytes + superseded.bytes,
  };
}

interface PlainRead {
  readonly count: number;
  readonly bytes: number | null;
  /** A list as JSON. */
  readonly damaged: string;
}

/** Compared inside SQLite: only what is damaged is told. */
function* readPlain({ store }: Mirror, portion: Portion, told: Told): Pieces<BodiesRead> {
  const { within, pieces } = plainPieces(store, portion);
  const read = store.prepare<PlainRead>(
    `select count(*) as count, sum(size) as bytes, json_group_array(bid) filter (where docmirror_hash(data) <> hash) as damaged
     from bodies where ${within}`,
  );
  const problems: CheckProblem[] = [];
  let count = 0;
  let bytes = 0;
  for (const [index, piece] of pieces.entries()) {
    told(index, pieces.length);
    const found = read.get(piece);
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

interface PlainPieces {
  /** SQL that is true of the texts of a piece. */
  readonly within: string;
  readonly pieces: readonly Piece[];
}

/** A portion is read text by text, by their hashes; all of them in the order in which they lie. */
function plainPieces(store: Mirror['store'], { from, to }: Portion): PlainPieces {
  const { last, count } = store
    .prepare<{ last: number | null; count: number }>('select max(bid) as last, count(*) as count from bodies')
    .get() ?? { last: 0, count: 0 };
  if (from === 0 && to === 1) {
    const starts = Array.from({ length: Math.floor((last ?? 0) / BATCH) + 1 }, (_, index) => index * BATCH);
    return { within: 'bid >= @from and bid < @below', pieces: starts.map((from) => ({ from, below: from + BATCH })) };
  }
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
    if (error instanceof Error && !('code' in error && String(error.code).startsWith('SQLITE_'))) return null;
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
