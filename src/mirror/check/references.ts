// Rows that name rows which are not there, as the schema says which they name.
import type { Pieces } from '../../base/index.ts';
import type { CheckProblem } from './check.ts';
import type { Mirror } from '../database/database.ts';

const MOST_SHOWN = 20;

/** A row as SQLite finds it; `rowid` is null in a table without such numbers. */
interface Found {
  readonly table: string;
  readonly rowid: number | null;
  readonly parent: string;
  /** Which of the table's references it is. */
  readonly fkid: number;
}

interface Reference {
  readonly from: string;
  readonly to: string;
}

interface Dangling {
  readonly missing: number | string;
  readonly count: number;
  /** What the first of these rows is told from the others by. */
  readonly key: number | string;
}

/** Rows whose references dangle, those of one table together that name the same missing row. */
export function* danglingReferences(mirror: Mirror): Pieces<CheckProblem[]> {
  const rows = mirror.store.driver.pragma('foreign_key_check') as Found[];
  yield;
  const kinds = new Map(rows.map((row) => [`${row.table} ${row.fkid}`, row]));
  const problems = [...kinds.values()].flatMap((one) => danglingBy(mirror, one));
  return problems.slice(0, MOST_SHOWN);
}

function danglingBy(mirror: Mirror, one: Found): CheckProblem[] {
  const { table, parent } = one;
  const reference = referenceOf(mirror, one);
  if (reference === undefined) return [];
  const { from, to } = reference;
  const sql = `select ${name(from)} as missing, count(*) as count, ${keySql(mirror, one)} as key from ${name(table)}
    where ${name(from)} is not null and ${name(from)} not in (select ${name(to)} from ${name(parent)})
    group by ${name(from)} order by ${name(from)} limit ${MOST_SHOWN}`;
  const dangling = mirror.store.driver.prepare<[], Dangling>(sql).all();
  return dangling.map(({ missing, count, key }) => ({
    what: 'reference' as const,
    which: count === 1 ? `${table} ${key}` : `${table} of ${from} ${missing} (${count} rows)`,
    problem: `names a row that is not in ${parent}`,
  }));
}

function referenceOf({ store }: Mirror, { table, fkid }: Found): Reference | undefined {
  const sql = 'select "from", "to" from pragma_foreign_key_list(?) where id = ?';
  return store.prepare<Reference>(sql).get(table, fkid);
}

function keySql({ store }: Mirror, { table, rowid }: Found): string {
  if (rowid !== null) return 'min(rowid)';
  const sql = 'select name from pragma_table_info(?) where pk > 0 order by pk';
  const columns = store.prepare<{ name: string }>(sql).all(table);
  return columns.map((column) => `min(${name(column.name)})`).join(` || '/' || `);
}

function name(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
