// One writer per data directory: an exclusive lock on a small SQLite file. The system frees it with the process, so a
// crash or a kill -9 never leaves a lock behind.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { AppError, ensurePrivateDirectory, ensurePrivateFile } from '../base/index.ts';

export interface Lease extends Disposable {
  readonly holder: string;
}

/**
 * Takes the data directory for writing. Throws DM_DATA_DIR_LOCKED at once when another process holds it, naming the holder.
 * @param purpose What is being done, shown to whoever is refused: "sync".
 */
export async function takeLease(dataDir: string, purpose: string): Promise<Lease> {
  await ensurePrivateDirectory(dataDir);
  const holder = `${purpose}, process ${process.pid}`;
  for (const name of ['lease.db', 'lease.lock']) ensurePrivateFile(join(dataDir, name));
  const note = new Database(join(dataDir, 'lease.db'), { timeout: 200 });
  try {
    note.exec('create table if not exists holder (one integer primary key check (one = 1), who text not null)');
    const lock = lockFile(dataDir, note);
    note.prepare('insert or replace into holder values (1, ?)').run(holder);
    return { holder, [Symbol.dispose]: () => lock.close() };
  } finally {
    note.close();
  }
}

/** Who holds the data directory now; null when nobody does. Writes nothing. */
export function holderOf(dataDir: string): string | null {
  const [lock, note] = [join(dataDir, 'lease.lock'), join(dataDir, 'lease.db')];
  if (!existsSync(lock) || !existsSync(note)) return null;
  if (readsAlong(lock, 'select count(*) as n from sqlite_master') !== 'held') return null;
  const row = readsAlong(note, 'select who from holder');
  // Its name is written a moment after the lock is taken.
  return typeof row === 'object' && typeof row['who'] === 'string' ? row['who'] : 'unknown';
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

function lockFile(dataDir: string, note: Database.Database): Database.Database {
  // A look at who holds it takes the lock for an instant; that is waited out.
  const lock = new Database(join(dataDir, 'lease.lock'), { timeout: 250 });
  try {
    lock.pragma('locking_mode = exclusive');
    lock.exec('begin exclusive; create table if not exists held (x); commit; begin exclusive');
    return lock;
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    const row = note.prepare<[], { who: string }>('select who from holder').get();
    throw new AppError('DM_DATA_DIR_LOCKED', `Another process holds ${dataDir}: ${row?.who ?? 'unknown'}`, {
      hint: 'Wait until it ends, or use another --data-dir. Reading (query, snapshots, status) works meanwhile.',
    });
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}
