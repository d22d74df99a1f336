// One process at a time: an exclusive lock on a small SQLite file. The system frees it with the process, so a crash or a kill -9
// never leaves a lock behind.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { AppError } from './errors.ts';
import { ensurePrivateDirectory, ensurePrivateFile } from './files.ts';

export interface ProcessLock extends Disposable {
  readonly holder: string;
  /** Whether its files are still where they were made: false once the folder was removed, or the disk that it is on. Writes nothing. */
  isInPlace(): boolean;
}

/** `NAME.lock` in the folder is held, `NAME.db` beside it says by whom. */
export interface LockPlace {
  readonly folder: string;
  readonly name: string;
}

export interface LockOptions extends LockPlace {
  /** Shown to whoever is refused. */
  readonly holder: string;
  /** What is thrown then. */
  readonly refusal: (holder: string) => AppError;
}

/** Takes the lock, or throws the refusal at once when another process holds it, naming the holder. */
export async function takeProcessLock({ folder, name, holder, refusal }: LockOptions): Promise<ProcessLock> {
  await ensurePrivateDirectory(folder);
  for (const kind of ['db', 'lock']) ensurePrivateFile(join(folder, `${name}.${kind}`));
  const note = new Database(join(folder, `${name}.db`), { timeout: 200 });
  try {
    note.exec('create table if not exists holder (one integer primary key check (one = 1), who text not null)');
    const lock = heldFile(join(folder, `${name}.lock`), FOR_GOOD);
    if (lock === null) {
      const row = note.prepare<[], { who: string }>('select who from holder').get();
      throw refusal(row?.who ?? 'unknown');
    }
    try {
      note.prepare('insert or replace into holder values (1, ?)').run(holder);
    } catch (error) {
      // On a full disk, such as this one may be: else nobody could take the lock again as long as this process lives.
      lock.close();
      throw error;
    }
    return { holder, isInPlace: () => namesHolder({ folder, name }, holder), [Symbol.dispose]: () => lock.close() };
  } finally {
    note.close();
  }
}

/** Who holds the lock now; null when nobody does. Writes nothing. */
export function lockHolder({ folder, name }: LockPlace): string | null {
  const [lock, note] = [join(folder, `${name}.lock`), join(folder, `${name}.db`)];
  if (!existsSync(lock) || !existsSync(note)) return null;
  if (readsAlong(lock, 'select count(*) as n from sqlite_master') !== 'held') return null;
  const row = readsAlong(note, 'select who from holder');
  // Its name is written a moment after the lock is taken.
  return typeof row === 'object' && typeof row['who'] === 'string' ? row['who'] : 'unknown';
}

// The lock itself may not be opened a second time: to close that would free it.
function namesHolder({ folder, name }: LockPlace, holder: string): boolean {
  const [lock, note] = [join(folder, `${name}.lock`), join(folder, `${name}.db`)];
  if (!existsSync(lock) || !existsSync(note)) return false;
  try {
    const row = readsAlong(note, 'select who from holder');
    return row === 'held' || row['who'] === holder;
  } catch {
    return false;
  }
}

function readsAlong(file: string, sql: string): Record<string, unknown> | 'held' {
  const database = new Database(file, { timeout: 0, readonly: true });
  try {
    return database.prepare<[], Record<string, unknown>>(sql).get() ?? {};
  } catch (error) {
    if (isBusy(error)) return 'held';
    throw error;
  } finally {
    database.close();
  }
}

const FOR_GOOD =
  'pragma locking_mode = exclusive; begin exclusive; create table if not exists held (x); commit; begin exclusive';

/** Null when another process holds it; else held by these statements until it is closed. */
export function heldFile(file: string, statements: string): Database.Database | null {
  // A look at who holds it takes the lock for an instant; that is waited out.
  const lock = new Database(file, { timeout: 250 });
  try {
    lock.exec(statements);
    return lock;
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    return null;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}
