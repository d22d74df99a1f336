// SQL for people: read-only in fact, at the last sealed snapshot or at any other.
import type Database from 'better-sqlite3';
import { AppError, openToRead } from '../../base/index.ts';
import { kindOf, viewKinds, type KindName } from '../../contract/index.ts';
import { databasePath } from '../database/database.ts';
import { standInForNewTables } from '../database/former.ts';
import { addTextFunctions, allBodies } from '../bodies/stored-text.ts';
import { pinnedTables } from './pinned-tables.ts';
import { reportViews } from './report-views.ts';
import { namingWhatIsThere } from './unknown-name.ts';
import { historySql, isPartlySuperseded, keyedViewSql, LAST_SEALED, viewSql } from './views.ts';

export interface Answer {
  readonly columns: readonly string[];
  /** Whole numbers are `number` where that holds them exactly, else `bigint`. */
  readonly rows: Iterable<readonly unknown[]>;
}

/** An answer that is held. */
export interface QueryResult extends Answer {
  readonly rows: unknown[][];
}

/**
 * An answer that comes row by row, once. Until its last row or its disposal it reads the mirror as it was at the first one,
 * whatever is written meanwhile. Each step runs to its end in one turn of the event loop: no signal of ours interrupts it.
 */
export interface RunningQuery extends Answer, Disposable {
  readonly rows: Iterable<unknown[]>;
  /** How often a text of an earlier snapshot could not be unpacked, and null stood for it, up to now. */
  readonly illegible: () => number;
}

const READABLE_PRAGMAS =
  /^\s*pragma\s+(table_info|table_xinfo|table_list|index_list|index_info|user_version|page_count|page_size|freelist_count|compile_options|foreign_key_list)\b[^=]*$/i;

/**
 * Begins one SELECT (or a reading PRAGMA, EXPLAIN, VALUES, WITH) on a read-only connection of its own.
 * Throws DM_SQL_REFUSED for anything that could write, attach or change a setting, and DM_SQL_INVALID for SQL that fails, which
 * may come out at any row, and for a row that would not fit into memory.
 * @param at Number of a snapshot: the views then show that one.
 */
export function openQuery(dataDir: string, sql: string, at: number | null): RunningQuery {
  return open(dataDir, sql, { at, pinsTables: true });
}

interface Moment {
  readonly at: number | null;
  /** Tables are pinned too, not only views. */
  readonly pinsTables: boolean;
}

function open(dataDir: string, sql: string, moment: Moment): RunningQuery {
  const driver = openToRead(databasePath(dataDir));
  try {
    let illegible = 0;
    addTextFunctions(driver, () => void illegible++);
    standInForNewTables(driver);
    unfoldViews(driver, sql, moment);
    driver.pragma('query_only = on');
    const statement = prepareReading(driver, sql);
    statement.raw(true).safeIntegers(true);
    const columns = statement.columns().map((column) => column.name);
    return {
      columns,
      rows: rowsOf(statement),
      illegible: () => illegible,
      [Symbol.dispose]: () => void driver.close(),
    };
  } catch (error) {
    const told = namingWhatIsThere(driver, sql, error);
    driver.close();
    throw asOwn(told);
  }
}

/** `openQuery` for an answer that is held in memory. Throws DM_SQL_INVALID, too, for one that would not fit there. */
export function runQuery(dataDir: string, sql: string, at: number | null): QueryResult {
  using query = openQuery(dataDir, sql, at);
  return held(query);
}

function held({ columns, rows }: RunningQuery): QueryResult {
  return { columns, rows: allOf(rows) };
}

/**
 * Keys of the resources of a kind for which a condition over its view holds. Throws as `openQuery` does. Its tables are those of
 * today: a restore brings back what a later snapshot found gone, and its condition may ask for just that.
 */
export function keysWhere(
  dataDir: string,
  { kind, where }: { readonly kind: KindName; readonly where: string },
  at: number,
): string[] {
  const { view } = kindOf(kind);
  const sql = `with ${view} as not materialized (${keyedViewSql(view, at)})
    select own_key from (select * from ${view} where (${where}\n)) where own_kind = '${kind}' order by own_key`;
  try {
    using query = open(dataDir, sql, { at, pinsTables: false });
    return held(query).rows.map(([key]) => String(key));
  } catch (error) {
    throw ofCondition(error, `The condition ${JSON.stringify(where)} on ${view} could not be used`);
  }
}

/** What SQLite says is about the whole statement, of which nobody has written but the condition. */
function ofCondition(error: unknown, what: string): unknown {
  if (!(error instanceof AppError) || error.code !== 'DM_SQL_INVALID') return error;
  const why = error.cause instanceof Error ? error.cause.message : error.message;
  return new AppError(error.code, `${what}: ${why}`, { hint: error.hint, cause: error });
}

function asOwn(error: unknown): unknown {
  return error instanceof AppError ? error : invalid(error);
}

// Temporary views hide the stored ones of the same name on this connection only, and read superseded texts too. Only those that
// the SQL names: all of them would take longer than most questions.
function unfoldViews(driver: Database.Database, sql: string, { at, pinsTables }: Moment): void {
  const words = new Set(sql.toLowerCase().match(/\w+/g));
  const hide = (name: string, text: () => string): void => {
    if (words.has(name)) driver.exec(`create temp view ${name} as ${text()}`);
  };
  for (const view of viewKinds().keys()) {
    if (at !== null || isPartlySuperseded(view)) hide(view, () => viewSql(view, at ?? LAST_SEALED));
    hide(`${view}_history`, () => historySql(view, at ?? LAST_SEALED));
  }
  // Some of these read superseded bodies as well, such as the feed of changes.
  for (const view of reportViews) hide(view.name, () => view.sql(at ?? LAST_SEALED, allBodies));
  if (at === null) return;
  if (pinsTables) for (const table of pinnedTables) hide(table.name, () => table.sql(at));
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
  // Some of these fail before it shows that they write, with advice on how to.
  if (/^(?:alter|create|delete|drop|insert|replace|update)\b/i.test(bare)) throw refused(sql);
  const statement = prepareAny(driver, sql);
  if (!statement.reader || !statement.readonly) throw refused(sql);
  return statement;
}

const MEBIBYTE = 1024 * 1024;
/** An answer that is held, and a row of one that is not: a row is shown as one text, which has a bound of its own. */
const MOST_BYTES = 256 * MEBIBYTE;
const BYTES_OF_A_CELL = 8;
const BYTES_OF_A_ROW = 64;

function* rowsOf(statement: Database.Statement<unknown[]>): Generator<unknown[]> {
  try {
    for (const row of statement.iterate() as IterableIterator<unknown[]>) {
      if (sizeOfRow(row) > MOST_BYTES) throw tooLarge('A row of the answer has');
      yield row.map(exactly);
    }
  } catch (error) {
    throw asOwn(ofMatch(error));
  }
}

/** Once a statement runs, all its columns are known: what is no column, or no syntax, stands in the words of a full-text search. */
function ofMatch(error: unknown): unknown {
  if (
    !(error instanceof Error) ||
    !/^(?:fts5: |no such column: |unterminated string|unknown special query: )/.test(error.message)
  )
    return error;
  return new AppError('DM_SQL_INVALID', `The words of MATCH could not be read: ${error.message}`, {
    hint: `Put what has other signs than letters and digits into double quotes: match '"read-only"'.`,
    cause: error,
  });
}

/** Ends before the memory of this process does. */
function allOf(answer: Iterable<unknown[]>): unknown[][] {
  const rows: unknown[][] = [];
  let size = 0;
  for (const row of answer) {
    size += sizeOfRow(row);
    if (size > MOST_BYTES) throw tooLarge('The answer has', `: ${rows.length} rows fit into it`);
    rows.push(row);
  }
  return rows;
}

function sizeOfRow(row: readonly unknown[]): number {
  let size = BYTES_OF_A_ROW;
  for (const cell of row) size += sizeOf(cell);
  return size;
}

function exactly(cell: unknown): unknown {
  return typeof cell === 'bigint' && Number.isSafeInteger(Number(cell)) ? Number(cell) : cell;
}

function sizeOf(cell: unknown): number {
  if (typeof cell === 'string') return BYTES_OF_A_CELL + cell.length;
  return cell instanceof Uint8Array ? BYTES_OF_A_CELL + cell.byteLength : BYTES_OF_A_CELL;
}

function tooLarge(what: string, how = ''): AppError {
  return new AppError('DM_SQL_INVALID', `${what} more than ${MOST_BYTES / MEBIBYTE} MiB${how}`, {
    hint: 'Ask for fewer rows or columns, such as with LIMIT or substr(), or read mirror.db with the sqlite3 shell.',
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
