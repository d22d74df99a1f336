// SQL for people: read-only in fact, at the last sealed snapshot or at any other.
import Database from 'better-sqlite3';
import { AppError } from '../base/index.ts';
import { viewKinds } from '../contract/index.ts';
import { databasePath } from './database.ts';
import { addTextFunctions, allBodies } from './stored-text.ts';
import { reportViews } from './report-views.ts';
import { historySql, LAST_SEALED, viewSql } from './views.ts';

export interface QueryResult {
  readonly columns: string[];
  /** Whole numbers are `number` where that holds them exactly, else `bigint`. */
  readonly rows: unknown[][];
}

const READABLE_PRAGMAS =
  /^\s*pragma\s+(table_info|table_xinfo|table_list|index_list|index_info|user_version|page_count|page_size|freelist_count|compile_options|foreign_key_list)\b[^=]*$/i;

/**
 * Runs one SELECT (or a reading PRAGMA, EXPLAIN, VALUES, WITH) on a read-only connection.
 * Throws DM_SQL_REFUSED for anything that could write, attach or change a setting, DM_SQL_INVALID for SQL that fails, and for an
 * answer that would not fit into memory. It runs to its end in one turn of the event loop: no signal of ours interrupts it.
 * @param at Number of a snapshot: the views then show that one.
 */
export function runQuery(dataDir: string, sql: string, at: number | null): QueryResult {
  const driver = new Database(databasePath(dataDir), { readonly: true, fileMustExist: true });
  try {
    addTextFunctions(driver);
    unfoldViews(driver, sql, at);
    driver.pragma('query_only = on');
    const statement = prepareReading(driver, sql);
    statement.raw(true).safeIntegers(true);
    const rows = rowsOf(statement);
    return { columns: statement.columns().map((column) => column.name), rows };
  } catch (error) {
    throw error instanceof AppError ? error : invalid(error);
  } finally {
    driver.close();
  }
}

// Temporary views hide the stored ones of the same name on this connection only, and read superseded texts too. Only those that
// the SQL names: all of them would take longer than most questions.
function unfoldViews(driver: Database.Database, sql: string, at: number | null): void {
  const words = new Set(sql.toLowerCase().match(/\w+/g));
  const hide = (name: string, text: () => string): void => {
    if (words.has(name)) driver.exec(`create temp view ${name} as ${text()}`);
  };
  for (const view of viewKinds().keys()) {
    if (at !== null) hide(view, () => viewSql(view, at, { unfolded: true }));
    hide(`${view}_history`, () => historySql(view, at ?? LAST_SEALED, { unfolded: true }));
  }
  if (at !== null) for (const view of reportViews) hide(view.name, () => view.sql(at, allBodies));
}

/** Some of what would write is refused by SQLite itself, when it is prepared. */
function prepareAny(driver: Database.Database, sql: string): Database.Statement<unknown[]> {
  try {
    return driver.prepare<unknown[]>(sql);
  } catch (error) {
    throw error instanceof Error && /^cannot modify|readonly database/.test(error.message) ? refused(sql) : error;
  }
}

function prepareReading(driver: Database.Database, sql: string): Database.Statement<unknown[]> {
  const bare = sql.replace(/^(\s|--[^\n]*(\n|$)|\/\*[\s\S]*?\*\/)+/, '');
  if (/^pragma\b/i.test(bare) && !READABLE_PRAGMAS.test(bare)) throw refused(sql);
  const statement = prepareAny(driver, sql);
  if (!statement.reader || !statement.readonly) throw refused(sql);
  return statement;
}

const MEBIBYTE = 1024 * 1024;
/** Answers are held in memory, and are shown as one text, which has a bound of its own. */
const MOST_BYTES = 256 * MEBIBYTE;
const BYTES_OF_A_CELL = 8;
const BYTES_OF_A_ROW = 64;

/** Ends before the memory of this process does. */
function rowsOf(statement: Database.Statement<unknown[]>): unknown[][] {
  const rows: unknown[][] = [];
  let size = 0;
  for (const row of statement.iterate() as IterableIterator<unknown[]>) {
    size += BYTES_OF_A_ROW;
    for (const cell of row) size += sizeOf(cell);
    if (size > MOST_BYTES) throw tooLarge(rows.length);
    rows.push(row.map(exactly));
  }
  return rows;
}

function exactly(cell: unknown): unknown {
  return typeof cell === 'bigint' && Number.isSafeInteger(Number(cell)) ? Number(cell) : cell;
}

function sizeOf(cell: unknown): number {
  if (typeof cell === 'string') return BYTES_OF_A_CELL + cell.length;
  return cell instanceof Uint8Array ? BYTES_OF_A_CELL + cell.byteLength : BYTES_OF_A_CELL;
}

function tooLarge(rows: number): AppError {
  const most = `${MOST_BYTES / MEBIBYTE} MiB`;
  return new AppError('DM_SQL_INVALID', `The answer has more than ${most}: ${rows} rows fit into it`, {
    hint: 'Ask for fewer rows or columns, such as with LIMIT, or read mirror.db with the sqlite3 shell.',
  });
}

function refused(sql: string): AppError {
  return new AppError('DM_SQL_REFUSED', `This SQL does not only read: ${sql.slice(0, 80)}`, {
    hint: 'Use one SELECT. To work on the data freely, copy mirror.db and open the copy.',
  });
}

function invalid(error: unknown): AppError {
  const message = error instanceof Error ? error.message : String(error);
  // The driver's own words ask for values, and no command takes any.
  if (/^(?:Too few parameter values|Missing named parameters)/.test(message)) {
    const what =
      'The SQL has a parameter (?, :name, @name or $name), which nothing fills; expected a value in its place';
    const hint = "Write the value where the parameter stands, a text as 'text'.";
    return new AppError('DM_SQL_INVALID', what, { hint, cause: error });
  }
  return new AppError('DM_SQL_INVALID', `The SQL could not be run: ${message}`, {
    hint: 'See what there is: docmirror query "select name, description from docs_tables".',
    cause: error,
  });
}
