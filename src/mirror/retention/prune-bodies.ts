// Freeing texts and JSON that no version names. What was compressed against one of them is compressed anew before it goes.
import type { Pieces } from '../../base/index.ts';
import { unlistGone } from '../bodies/body-hash.ts';
import { compress, standsAlone } from '../bodies/compress.ts';
import type { Mirror } from '../database/database.ts';
import { inRanges, withinSql } from '../database/ranges.ts';
import { supersededSql } from '../bodies/stored-text.ts';
import { heightOf, MOST_STEPS } from '../bodies/superseded.ts';

const BATCH = 100;

interface Stranded {
  readonly bid: number;
  /** What came after it in the history that is left. */
  readonly next: number | null;
  readonly data: string;
}

/** Frees bodies, all or none; answers how many. What is left reads as before, by as few steps as before. */
export function pruneBodies(mirror: Mirror): Pieces<number> {
  const { store } = mirror;
  return store.longTransaction(function* pruning() {
    yield* listUsed(mirror);
    const released = `update bodies set dependent = null where ${withinSql('bid')} and dependent not in (select bid from used)`;
    yield* inRanges(mirror, { table: 'bodies', column: 'bid', sql: released });
    listStranded(mirror);
    yield;
    for (let after = 0; ;) {
      const batch = strandedAfter(mirror, after);
      for (const one of batch) compressAnew(mirror, one);
      yield;
      const last = batch.at(-1);
      if (last === undefined) break;
      after = last.bid;
    }
    let freed = 0;
    for (const table of ['superseded', 'bodies'] as const) {
      const sql = `delete from ${table} where ${withinSql('bid')} and bid not in (select bid from used)`;
      freed += yield* inRanges(mirror, { table, column: 'bid', sql });
    }
    unlistGone(mirror);
    yield;
    store.driver.exec('drop table used; drop table stranded');
    return freed;
  });
}

function* listUsed(mirror: Mirror): Pieces<void> {
  mirror.store.driver.exec('create temp table used (bid integer primary key)');
  for (const role of ['body', 'text']) {
    const sql = `insert or ignore into used select ${role} from versions where ${withinSql('vid')} and ${role} is not null`;
    yield* inRanges(mirror, { table: 'versions', column: 'vid', sql });
  }
  for (const role of ['body', 'text', 'document'])
    mirror.store.driver.exec(`insert or ignore into used select ${role} from shared_entries where ${role} is not null`);
}

/** Those whose base goes, with what came after them; of several successors the last, so that no two lean on each other. */
function listStranded(mirror: Mirror): void {
  const { driver } = mirror.store;
  driver.exec(`create temp table stranded (bid integer primary key, next integer, ended integer not null default 0);
insert into stranded (bid) select bid from superseded where base not in (select bid from used) and bid in (select bid from used);`);
  for (const role of ['body', 'text']) {
    driver.exec(`insert into stranded (bid, next, ended)
      select v.${role}, n.${role}, v.valid_to from versions v left join versions n on n.rid = v.rid and n.valid_from = v.valid_to
      where v.${role} in (select bid from stranded)
      on conflict (bid) do update set next = excluded.next, ended = excluded.ended where excluded.ended > stranded.ended`);
  }
}

function strandedAfter(mirror: Mirror, after: number): Stranded[] {
  // Read before any of them is written, and through bases that have not gone yet.
  return mirror.store.driver
    .prepare<[number], Stranded>(
      `select t.bid, t.next, ${supersededSql('t.bid')} as data
       from stranded t where t.bid > ? order by t.bid limit ${BATCH}`,
    )
    .all(after);
}

function compressAnew(mirror: Mirror, { bid, next, data }: Stranded): void {
  const base = next === null || next === bid ? null : baseFor(mirror, bid, next);
  const compressed = compress(data, base);
  const isDifference = base !== null && !standsAlone(compressed);
  const { store } = mirror;
  store
    .prepare('update superseded set base = ?, data = ? where bid = ?')
    .run(isDifference ? next : null, compressed, bid);
  if (!isDifference || next === null) return;
  store.prepare('update bodies set dependent = ? where bid = ?').run(bid, next);
  raise(mirror, next, heightOf(mirror, bid) + 1);
}

/**
 * The text to compress against; null where that would make a way of too many steps or one in a circle, as what came after it may lean
 * on it since it stood there once more, or the plain text has a dependent.
 */
function baseFor(mirror: Mirror, bid: number, next: number): string | null {
  const plain = mirror.store
    .prepare<{ data: string; dependent: number | null }>('select data, dependent from bodies where bid = ?')
    .get(next);
  if (plain) return plain.dependent === null ? plain.data : null;
  const way = wayFrom(mirror, next);
  if (way.includes(bid) || way.length + 1 + heightOf(mirror, bid) > MOST_STEPS) return null;
  return mirror.store.prepare<{ data: string | null }>(`select ${supersededSql('?')} as data`).get(next)?.data ?? null;
}

/** What a text is read through, one after the other. */
function wayFrom(mirror: Mirror, bid: number): number[] {
  const base = baseOf(mirror, bid);
  return base === null ? [] : [base, ...wayFrom(mirror, base)];
}

function raise(mirror: Mirror, bid: number, height: number): void {
  const { changes } = mirror.store
    .prepare('update superseded set height = ? where bid = ? and height < ?')
    .run(height, bid, height);
  const base = changes > 0 ? baseOf(mirror, bid) : null;
  if (base !== null) raise(mirror, base, height + 1);
}

function baseOf(mirror: Mirror, bid: number): number | null {
  return (
    mirror.store.prepare<{ base: number | null }>('select base from superseded where bid = ?').get(bid)?.base ?? null
  );
}
