// Reading what settled change requests show as their spaces did, as resources of their own.
import { kindOf, type KindName } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';
import { holdsAtSql } from '../database/holds-sql.ts';
import type { textSql } from '../bodies/stored-text.ts';
import { sharedRowsOf } from '../views/shared-rows.ts';

/** Statements by which the shared resources of one kind are read. */
export interface SharedSql {
  /** Keys of the change requests of which something is shared, in the order of what stands in them. */
  readonly requests: string;
  readonly within: string;
  readonly one: string;
  readonly count: string;
  readonly keys: string;
}

const HOLDS = holdsAtSql('st', '@snapshot');

/** Null for a kind that is never shared. */
export function sharedSql(kind: KindName, text: typeof textSql): SharedSql | null {
  const [rows] = sharedRowsOf([kind]);
  if (rows === undefined) return null;
  const select = `select r.number as rid, r.kind, r.key, r.id, ${text('b.data', 'r.body')} as body, ${text('t.data', 'r.text')} as text, r.object, r.size,
  (select a.id from resources a where a.rid = r.parent) as parent, r.position, 1 as holds`;
  const from = (where: string): string => `from (${rows.sql} and ${HOLDS} and ${where}) r`;
  const bodies = 'left join bodies b on b.bid = r.body left join bodies t on t.bid = r.text';
  return {
    requests: `select distinct q.key from resources q cross join shared_trees st on st.rid = q.rid and ${HOLDS}
      where q.kind = '${REVISION}' and ${BELOW} order by q.key || '/'`,
    within: `${select} ${from('q.key = @request and p.id > @after')} ${bodies} order by r.id`,
    one: `${select} ${from(`q.key = @request and p.kind = '${rows.main}' and p.key = q.space || '/' || @id`)} ${bodies}`,
    count: `select coalesce(sum(${rows.number}), 0) as n from resources q cross join shared_trees st on st.rid = q.rid and ${HOLDS}
      where q.kind = '${REVISION}' and ${BELOW} and st.kind = '${rows.tree}'`,
    keys: `select r.key ${from('p.id = @id')} order by r.key`,
  };
}

// At a key, or below it.
const BELOW = '(q.key = @at or q.key >= @low and q.key < @high)';
const REVISION = 'change-request-revision' satisfies KindName;
const SEGMENTS = kindOf(REVISION).params.length;

/** A key of what stands in a change request, taken apart. */
function placeOf(key: string): { request: string; id: string } {
  const segments = key.split('/');
  return { request: segments.slice(0, SEGMENTS).join('/'), id: segments.slice(SEGMENTS).join('/') };
}

/** Requests with a key at or below this one. */
function rangeOf(within: string | undefined): { at: string; low: string; high: string } {
  if (within === undefined) return { at: '', low: '', high: '\u{10FFFF}' };
  return { at: within, low: `${within}/`, high: `${within}0` };
}

interface Keyed {
  readonly key: string;
}

export class SharedReading<Row extends Keyed> {
  readonly #mirror: Mirror;
  readonly #sql: SharedSql;
  readonly #snapshot: number;

  constructor(mirror: Mirror, sql: SharedSql, snapshot: number) {
    this.#mirror = mirror;
    this.#sql = sql;
    this.#snapshot = snapshot;
  }

  /** All below a key, by key; only those behind one that is given. */
  *rows(within: string | undefined, after?: string): Generator<Row> {
    const { store } = this.#mirror;
    const bound = { snapshot: this.#snapshot };
    const from = after === undefined ? null : placeOf(after);
    for (const { key: request } of store.prepare<Keyed>(this.#sql.requests).all({ ...bound, ...rangeOf(within) })) {
      if (from !== null && isBefore(`${request}/`, `${from.request}/`)) continue;
      const behind = request === from?.request ? from.id : '';
      yield* store.iterate<Row>(this.#sql.within, { ...bound, request, after: behind });
    }
  }

  one(key: string): Row | undefined {
    return this.#mirror.store.prepare<Row>(this.#sql.one).get({ snapshot: this.#snapshot, ...placeOf(key) });
  }

  count(within: string | undefined): number {
    const bound = { snapshot: this.#snapshot, ...rangeOf(within) };
    return this.#mirror.store.prepare<{ n: number }>(this.#sql.count).get(bound)?.n ?? 0;
  }

  keysOf(id: string): string[] {
    const rows = this.#mirror.store.prepare<Keyed>(this.#sql.keys).all({ snapshot: this.#snapshot, id });
    return rows.map(({ key }) => key);
  }
}

/** What resources have of their own and what they share, each by key, as one. What is shared stands for what an entry once had of its own. */
export function* mergedByKey<Row extends Keyed>(own: Iterable<Row>, shared: Generator<Row>): Generator<Row> {
  try {
    let other = shared.next();
    for (const row of own) {
      for (; other.done !== true && isBefore(other.value.key, row.key); other = shared.next()) yield other.value;
      if (other.done === true || other.value.key !== row.key) yield row;
    }
    for (; other.done !== true; other = shared.next()) yield other.value;
  } finally {
    // Whoever stops early would leave a statement open, beside which nothing is written.
    shared.return(undefined);
  }
}

/** As SQLite orders texts: by their bytes. */
function isBefore(one: string, other: string): boolean {
  return one !== other && Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0;
}
