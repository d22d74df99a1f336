// Superseded bodies leave `bodies` when a snapshot is sealed, and are kept as their difference from what came after them:
// the newest text is always plain, and older ones are read through at most a few newer ones. Until then they stay plain,
// for readers of the last sealed snapshot.
import { freeHeapFor, type Pieces } from '../../base/index.ts';
import { listHash, unlistHash } from './body-hash.ts';
import { compress, standsAlone } from './compress.ts';
import type { Mirror } from '../database/database.ts';
import type { SupersededRow } from '../database/tables.ts';
import { isWhole } from './whole-bodies.ts';

/** A text is read through at most so many others; the next one stands alone. */
export const MOST_STEPS = 15;

// Below it, keeping a difference costs more than keeping the text.
const LEAST_BYTES = 64;
const BATCH = 500;
// So many are compressed in some ten milliseconds.
const PIECE = 50;

interface Plain {
  readonly bid: number;
  readonly hash: Buffer;
  readonly size: number;
  readonly owner: number | null;
  readonly dependent: number | null;
}

/** A version that ended, with what came after it. */
interface Ended {
  readonly vid: number;
  readonly rid: number;
  readonly body: number;
  readonly text: number | null;
  readonly nextBody: number | null;
  readonly nextText: number | null;
}

interface Candidate {
  readonly rid: number;
  readonly bid: number;
  readonly successor: number | null;
}

// One that came after it, though an earlier program could begin two at the same number: each is superseded once.
const ENDED = `select v.vid, v.rid, v.body, v.text, n.body as nextBody, n.text as nextText
from versions v left join versions n on n.vid = (
  select vid from versions where rid = v.rid and valid_from = v.valid_to order by vid desc limit 1)
where v.valid_to = ? and v.vid > ? order by v.vid limit ${BATCH}`;

/**
 * Compresses what no version holds any more that is valid now, of the versions that ended after the snapshot `previous` and
 * up to `snapshot`. The JSON of what is gone stays plain, so that every SQL tool can say what it was. Costs what changed.
 */
export function* compressSuperseded(mirror: Mirror, snapshot: number, previous: number): Pieces<void> {
  const ends = mirror.store
    .prepare<{ at: number }>(
      'select distinct valid_to as at from versions where valid_to > ? and valid_to <= ? order by 1 desc',
    )
    .all(previous, snapshot);
  // The newest first: what an older one is compared with has then its final place.
  for (const { at } of ends) {
    for (let after = 0; ;) {
      const batch = mirror.store.prepare<Ended>(ENDED).all(at, after);
      const made: SupersededRow[] = [];
      for (const [index, one] of batch.flatMap(candidatesOf).entries()) {
        const row = supersede(mirror, one);
        if (row !== undefined) made.push(row);
        if (index % PIECE === 0) yield;
      }
      for (const row of made.toSorted((a, b) => a.bid - b.bid)) insert(mirror, row);
      const last = batch.at(-1);
      if (last === undefined || batch.length < BATCH) break;
      after = last.vid;
    }
  }
}

function candidatesOf({ rid, body, text, nextBody, nextText }: Ended): Candidate[] {
  return [
    ...(nextBody === null || nextBody === body ? [] : [{ rid, bid: body, successor: nextBody }]),
    ...(text === null || text === nextText ? [] : [{ rid, bid: text, successor: nextText }]),
  ];
}

function supersede(mirror: Mirror, { rid, bid, successor }: Candidate): SupersededRow | undefined {
  const old = plainBody(mirror, bid);
  if (old === undefined || old.size < LEAST_BYTES || isCurrent(mirror, bid)) return undefined;
  const height = old.dependent === null ? 0 : heightOf(mirror, old.dependent) + 1;
  const next = successor === null ? undefined : plainBody(mirror, successor);
  const isFree = next !== undefined && next.dependent === null && height < MOST_STEPS;
  const { data, base } = compressed(mirror, old, isFree ? next : null);
  // Both lie there for nothing now, and one is about to be copied.
  freeHeapFor(old.size);
  const row = { hash: old.hash, height, data, base: base === null || standsAlone(data) ? null : base.bid };
  if (base !== null && old.owner === rid && base.owner === rid) return trade(mirror, { rid, old, next: base }, row);
  drop(mirror, old);
  if (row.base !== null) mirror.store.prepare('update bodies set dependent = ? where bid = ?').run(bid, row.base);
  return { ...row, bid };
}

interface Compressed {
  readonly data: Buffer;
  /** What it was compared with. */
  readonly base: Plain | null;
}

/** As bytes: a text beside them would take as much again. */
function compressed(mirror: Mirror, old: Plain, next: Plain | null): Compressed {
  const newer = next && dataOf(mirror, next.bid);
  // Put right later, a damaged one would be another text than the one that this was compared with.
  const base = next !== null && newer !== null && isWhole({ hash: next.hash, data: newer }) ? next : null;
  return { data: compress(dataOf(mirror, old.bid), base && newer), base };
}

/**
 * The new text takes the old one's number, and with that its place in the file, which it fills about as well; the difference
 * takes the number of the new one. Otherwise each edit would leave a hole that only a neighbour could use.
 */
function trade(
  mirror: Mirror,
  { rid, old, next }: { rid: number; old: Plain; next: Plain },
  row: Omit<SupersededRow, 'bid'>,
): SupersededRow {
  const { store } = mirror;
  const isBase = row.base !== null;
  // The text goes over within the database: of a large one, each way through a buffer takes as much memory again.
  store
    .prepare(
      'update bodies set hash = ?, size = ?, dependent = ?, data = (select data from bodies where bid = ?) where bid = ?',
    )
    .run(next.hash, next.size, isBase ? next.bid : null, next.bid, old.bid);
  drop(mirror, next);
  unlistHash(mirror, old);
  listHash(mirror, { hash: next.hash, bid: old.bid });
  for (const column of ['body', 'text']) {
    store
      .prepare(
        `update versions set ${column} = case ${column} when @old then @next else @old end where rid = @rid and ${column} in (@old, @next)`,
      )
      .run({ rid, old: old.bid, next: next.bid });
  }
  if (old.dependent !== null)
    store.prepare('update superseded set base = ? where bid = ?').run(next.bid, old.dependent);
  return { ...row, bid: next.bid, base: isBase ? old.bid : null };
}

function drop(mirror: Mirror, plain: Plain): void {
  mirror.store.prepare('delete from bodies where bid = ?').run(plain.bid);
  unlistHash(mirror, plain);
}

function plainBody(mirror: Mirror, bid: number): Plain | undefined {
  return mirror.store.prepare<Plain>('select bid, hash, size, owner, dependent from bodies where bid = ?').get(bid);
}

/** Of a plain body that is there. */
function dataOf(mirror: Mirror, bid: number): Buffer {
  const sql = 'select cast(data as blob) as data from bodies where bid = ?';
  return mirror.store.prepare<{ data: Buffer }>(sql).get(bid)?.data ?? Buffer.alloc(0);
}

function isCurrent(mirror: Mirror, bid: number): boolean {
  const sql = `select 1 from versions where valid_to is null and text = ?
    union all select 1 from versions where valid_to is null and body = ?
    union all select 1 from shared_entries where body = ? limit 1`;
  return mirror.store.prepare(sql).get(bid, bid, bid) !== undefined;
}

/** The most steps by which other texts are read through a superseded one; 0 where none is, and for a plain text. */
export function heightOf(mirror: Mirror, bid: number): number {
  return mirror.store.prepare<{ height: number }>('select height from superseded where bid = ?').get(bid)?.height ?? 0;
}

function insert(mirror: Mirror, { bid, hash, base, height, data }: SupersededRow): void {
  mirror.store
    .prepare('insert into superseded (bid, hash, base, height, data) values (?, ?, ?, ?, ?)')
    .run(bid, hash, base, height, data);
}
