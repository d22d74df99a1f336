// A SQLite file as both stores use it: Kysely builds and types the SQL, better-sqlite3 runs it at once, in the same turn of
// the event loop. So a transaction is a plain function: no await inside it, and no other work between its statements. One that takes
// seconds is made of pieces, on a connection that nothing else uses meanwhile.
import { closeSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Compilable,
  type CompiledQuery,
} from 'kysely';
import { AppError } from './errors.ts';
import { ensurePrivateFile } from './files.ts';
import { BUSY_TIMEOUT_MS, openToRead } from './sqlite-reader.ts';
import { describeSystemError, isUnexplained } from './system-errors.ts';
import type { Pieces } from './turns.ts';

export interface SqliteOptions {
  /** A path, or `:memory:`. */
  readonly path: string;
  /** Fails when the file is not there; no migration runs. */
  readonly readonly?: boolean;
  /** Statements by number, from 1 without a gap; each runs once, all of an opening in one transaction. */
  readonly migrations: Readonly<Record<number, string>>;
  /** A new file is for whoever the user's mask lets read it, as one of the files that it lies among; else for this user only. */
  readonly byMask?: boolean;
  /** Told when the disk had no room to give back what migrations left: the file is larger than it need be. */
  readonly onNotSmaller?: (error: unknown) => void;
  /** What the file is, for messages: "the mirror". */
  readonly name: string;
  /** Bytes of a page of a new file, 8,192. Rows of several kilobytes lie closer together on larger pages. */
  readonly pageSize?: number;
}

/** One open SQLite file. Rows are plain objects; a failed statement throws better-sqlite3's own error. */
export interface SqlStore<Tables> extends Disposable {
  /** Builds queries; running them is the business of the functions below. */
  readonly sql: Kysely<Tables>;
  /** The driver itself, for hot paths, pragmas and backups. */
  readonly driver: Database.Database;
  all<Row>(query: Compilable<Row>): Row[];
  get<Row>(query: Compilable<Row>): Row | undefined;
  /**
   * Rows one by one, without holding them all; finish the loop before the next write. Loops over one text may stand in each other,
   * and may be left early.
   */
  iterate<Row>(sql: string, ...values: unknown[]): IterableIterator<Row>;
  run(query: Compilable<unknown>): { changes: number; insertId: number };
  /** A statement prepared once and kept, for paths where building the query would cost more than running it. */
  prepare<Row = unknown>(sql: string): Database.Statement<unknown[], Row>;
  /** All or nothing; `work` must not be asynchronous. Nested calls join the outer one. */
  transaction<T>(work: () => T): T;
  /** A transaction in pieces; undone when it is left between two of them. Nothing else may use this store until it is ended. */
  longTransaction<T>(work: () => Pieces<T>): Pieces<T>;
}

const PAGE_SIZE = 8192;

/**
 * Opens the file in WAL mode and brings its schema up to date. A new one can be read by this user only,
 * unless the mask is to decide.
 * Throws DM_DATABASE_NEWER when a newer program wrote it, DM_DATABASE_DAMAGED when it is no database; nothing is changed then.
 */
export function openSqlite<Tables>(options: SqliteOptions): SqlStore<Tables> {
  const isKept = options.readonly !== true && options.path !== ':memory:';
  // SQLite gives the files beside it the mode of the database.
  if (isKept) ensureFile(options);
  const driver = options.readonly ? openToRead(options.path) : new Database(options.path, { timeout: BUSY_TIMEOUT_MS });
  try {
    refuseNewer(driver, options);
    if (!options.readonly) {
      driver.pragma(`page_size = ${options.pageSize ?? PAGE_SIZE}`);
      // Freed pages can be given back without writing the whole file anew.
      driver.pragma('auto_vacuum = INCREMENTAL');
      driver.pragma('journal_mode = WAL');
      driver.pragma('synchronous = NORMAL');
      migrate(driver, options);
    }
    driver.pragma('foreign_keys = ON');
  } catch (error) {
    driver.close();
    throw error;
  }
  return makeStore<Tables>(driver);
}

function ensureFile({ path, byMask }: SqliteOptions): void {
  // SQLite itself would never let others write, whatever the mask.
  if (byMask === true) closeSync(openSync(path, 'a'));
  else ensurePrivateFile(path);
}

function newest(options: SqliteOptions): number {
  return Math.max(0, ...Object.keys(options.migrations).map(Number));
}

function versionOf(driver: Database.Database): number {
  return Number(driver.pragma('user_version', { simple: true }));
}

function refuseNewer(driver: Database.Database, options: SqliteOptions): void {
  const found = versionOf(driver);
  if (found <= newest(options)) return;
  throw new AppError(
    'DM_DATABASE_NEWER',
    `${options.name} ${options.path} has schema ${found}; this program knows up to ${newest(options)}`,
    {
      hint: 'Use the Docmirror release that wrote it, or a newer one. Nothing was changed.',
    },
  );
}

function migrate(driver: Database.Database, options: SqliteOptions): void {
  const target = newest(options);
  if (versionOf(driver) === target) return;
  driver
    .transaction(() => {
      for (let step = versionOf(driver) + 1; step <= target; step++) {
        const statements = options.migrations[step];
        if (statements === undefined) throw new Error(`migration ${step} of ${options.name} is missing`);
        driver.exec(statements);
        driver.pragma(`user_version = ${step}`);
      }
    })
    .immediate();
  giveBack(driver, options);
}

/**
 * A step that writes a table anew leaves the old one's pages, and as many in the log. The new schema is in by now: a disk without room
 * for this keeps nobody from using it.
 */
function giveBack(driver: Database.Database, { onNotSmaller }: SqliteOptions): void {
  try {
    // Not the log first: moved to its place without this, it would take the room that whoever opens the file now has to write in.
    driver.pragma('incremental_vacuum');
    driver.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (describeSystemError(error)?.code !== 'DM_DISK_FULL' && !isUnexplained(error)) throw error;
    onNotSmaller?.(error);
  }
}

function makeStore<Tables>(driver: Database.Database): SqlStore<Tables> {
  const sql = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  const prepared = new Map<string, Database.Statement<unknown[], unknown>>();
  const prepare = <Row>(text: string): Database.Statement<unknown[], Row> => {
    let statement = prepared.get(text);
    if (!statement) prepared.set(text, (statement = driver.prepare<unknown[], unknown>(text)));
    return statement as Database.Statement<unknown[], Row>;
  };
  const idle = new Map<string, Database.Statement<unknown[], unknown>[]>();
  // One statement holds only one position: a loop has one to itself until it ends, and the next one takes it over.
  function* iterate<Row>(text: string, ...values: unknown[]): Generator<Row> {
    const spare = idle.get(text) ?? [];
    idle.set(text, spare);
    const statement = (spare.pop() ?? driver.prepare(text)) as Database.Statement<unknown[], Row>;
    try {
      yield* statement.iterate(...values);
    } finally {
      spare.push(statement);
    }
  }
  const bound = <Row>(query: Compilable<Row>): [Database.Statement<unknown[], Row>, unknown[]] => {
    const compiled: CompiledQuery<Row> = query.compile();
    return [prepare<Row>(compiled.sql), compiled.parameters.map(toSqlite)];
  };
  return {
    sql,
    driver,
    prepare,
    all: (query) => {
      const [s, p] = bound(query);
      return s.all(...p);
    },
    get: (query) => {
      const [s, p] = bound(query);
      return s.get(...p);
    },
    iterate,
    run: (query) => {
      const [s, p] = bound(query);
      const { changes, lastInsertRowid } = s.run(...p);
      return { changes, insertId: Number(lastInsertRowid) };
    },
    transaction: (work) => (driver.inTransaction ? work() : driver.transaction(work).immediate()),
    longTransaction: (work) => longTransaction(driver, work),
    [Symbol.dispose]: () => {
      driver.close();
    },
  };
}

function* longTransaction<T>(driver: Database.Database, work: () => Pieces<T>): Pieces<T> {
  if (driver.inTransaction) return yield* work();
  driver.exec('begin immediate');
  try {
    const result = yield* work();
    driver.exec('commit');
    return result;
  } finally {
    if (driver.inTransaction) driver.exec('rollback');
  }
}

interface Guards {
  /** Asked before a transaction begins; throws what refuses it. */
  readonly before?: () => void;
  /** Asked as the first thing in each transaction. */
  readonly within?: () => void;
}

/** The same store, each of whose transactions, but not what joins one, has to pass its guards. */
export function guardedStore<Tables>(store: SqlStore<Tables>, { before, within }: Guards): SqlStore<Tables> {
  return {
    ...store,
    transaction: (work) => {
      if (store.driver.inTransaction) return work();
      before?.();
      return store.transaction(() => {
        within?.();
        return work();
      });
    },
    longTransaction: function* guardedWork(work) {
      if (store.driver.inTransaction) return yield* work();
      before?.();
      return yield* store.longTransaction(() => {
        within?.();
        return work();
      });
    },
  };
}

/** SQLite has no booleans. */
function toSqlite(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value;
}
