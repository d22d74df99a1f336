// Statements over all rows of a large table, taken in ranges of their numbers: each range is a piece of work.
import type { Pieces } from '../../base/index.ts';
import type { Mirror } from './database.ts';
import type { MirrorTables } from './tables.ts';

/** The rows whose number is above `after`, up to and with `upTo`. */
export interface Range {
  readonly after: number;
  readonly upTo: number;
}

interface Numbered {
  readonly table: keyof MirrorTables;
  /** The column that is the number of a row. */
  readonly column: string;
  /** Numbers in one range. */
  readonly size: number;
}

/** The ranges in which every row lies that is there when the first of them is asked for. */
export function* rangesOf({ store }: Pick<Mirror, 'store'>, { table, column, size }: Numbered): Generator<Range, void> {
  const found = store.prepare<{ last: number | null }>(`select max(${column}) as last from ${table}`).get();
  const last = found?.last ?? 0;
  for (let after = 0; after < last; after += size) yield { after, upTo: after + size };
}

/** SQL that is true for the rows of a range, which is bound as `@after` and `@upTo`. */
export function withinSql(column: string): string {
  return `${column} > @after and ${column} <= @upTo`;
}

// So many plain rows are looked at in some ten milliseconds.
const AT_ONCE = 20_000;

interface Work {
  /** Has `withinSql` of the column in it. */
  readonly sql: string;
  readonly table: Numbered['table'];
  readonly column: string;
  /** What else is bound. */
  readonly values?: Readonly<Record<string, number>>;
}

/** Runs a statement over range after range; answers how many rows it changed. */
export function* inRanges(mirror: Pick<Mirror, 'store'>, { sql, table, column, values }: Work): Pieces<number> {
  const statement = mirror.store.prepare(sql);
  let changes = 0;
  for (const range of rangesOf(mirror, { table, column, size: AT_ONCE })) {
    changes += statement.run({ ...values, ...range }).changes;
    yield;
  }
  return changes;
}
