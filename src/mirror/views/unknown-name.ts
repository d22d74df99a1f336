// A name that SQL gives and the mirror does not have: what may be meant, and where the names stand.
import type Database from 'better-sqlite3';
import { AppError, didYouMean } from '../../base/index.ts';

/** The error of a statement that names a table or a column that is not there; any other error as it is. */
export function namingWhatIsThere(driver: Database.Database, sql: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const [, what, name = ''] = /^no such (table|column): (?:.*\.)?(.*)$/s.exec(error.message) ?? [];
  if (what === undefined) return error;
  const tables = namesOf(driver, `select name from sqlite_schema where type in ('table', 'view')`);
  const { known, where } =
    what === 'table' ? { known: tables, where: TABLES } : columnsOf(driver, tablesIn(sql, tables));
  return new AppError('DM_SQL_INVALID', `The SQL could not be run: ${error.message}${didYouMean(name, known)}`, {
    hint: `See what there is: docmirror query "${where}".`,
    cause: error,
  });
}

const TABLES = 'select name, description from docs_tables';
const COLUMNS = 'select table_name, name, description from docs_columns';

interface Known {
  readonly known: readonly string[];
  /** What shows them. */
  readonly where: string;
}

function tablesIn(sql: string, tables: readonly string[]): string[] {
  const words = new Set(sql.toLowerCase().match(/\w+/g));
  return tables.filter((table) => words.has(table));
}

function columnsOf(driver: Database.Database, tables: readonly string[]): Known {
  const known = tables.flatMap((table) => namesOf(driver, `select name from pragma_table_xinfo('${table}')`));
  const quoted = tables.map((table) => `'${table}'`).join(', ');
  return { known, where: tables.length === 0 ? COLUMNS : `${COLUMNS} where table_name in (${quoted})` };
}

function namesOf(driver: Database.Database, sql: string): string[] {
  return driver.prepare<[], string>(sql).pluck().all();
}
