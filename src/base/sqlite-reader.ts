// A database that is read where nothing can be written: on a disk that can only be read or is full, or in a folder of somebody else.
import { accessSync, chmodSync, constants, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { AppError, toAppError } from './errors.ts';

export const BUSY_TIMEOUT_MS = 5000;
// Whoever begins to write makes the files that are lacking: then there is no need of a copy any more.
const TRIES = 3;

/**
 * Opens an existing database for reading only. In WAL mode SQLite reads it with the help of two files beside it, and makes them where
 * there are none; where it may not, what is opened is a copy of its own. Throws DM_DATA_DIR_LOCKED where the file moves while it is
 * copied.
 */
export function openToRead(path: string): Database.Database {
  for (let left = TRIES; left > 0; left--) {
    const driver = openInPlace(path) ?? openCopy(path);
    if (driver !== null) return driver;
  }
  throw new AppError('DM_DATA_DIR_LOCKED', `${path} is being written, and nothing may be made beside it to read it`, {
    hint: 'Try again in a moment, or give this user write permission in its folder.',
  });
}

/** Null where files are lacking beside it that cannot be made. */
function openInPlace(path: string): Database.Database | null {
  const driver = openReadOnly(path);
  try {
    // SQLite opens a file no sooner than it reads it.
    driver.pragma('user_version');
    return driver;
  } catch (error) {
    driver.close();
    if (isRefused(error) && !may(constants.W_OK, dirname(path))) return null;
    if (isWithoutRoom(error, path)) return null;
    throw error;
  }
}

function openReadOnly(path: string): Database.Database {
  return new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
}

function isRefused(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(CANTOPEN|READONLY)/.test(error.code);
}

/** The disk takes no further bytes, or, where the database itself can be read, no further file. */
function isWithoutRoom(error: unknown, path: string): boolean {
  if (!(error instanceof Database.SqliteError)) return false;
  if (/^SQLITE_(FULL|IOERR_SHM)/.test(error.code)) return true;
  return error.code.startsWith('SQLITE_CANTOPEN') && may(constants.R_OK, path) && statSync(path).isFile();
}

function may(mode: number, path: string): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** Nobody else sees the copy, and it is gone with whoever reads it, however that ends. Null where the database moved meanwhile. */
function openCopy(path: string): Database.Database | null {
  const before = databaseState(path);
  const folder = makingRoom(path, () => mkdtempSync(join(tmpdir(), 'docmirror-')));
  try {
    const copy = join(folder, 'copy.db');
    makingRoom(path, () => {
      for (const end of ['', '-wal']) if (isThere(path + end)) copyTo(path + end, copy + end);
    });
    if (databaseState(path) !== before) return null;
    return openToTheEnd(path, copy);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What SQLite needs beside the copy is made before it is removed. */
function openToTheEnd(path: string, copy: string): Database.Database {
  return makingRoom(path, () => {
    const driver = openReadOnly(copy);
    try {
      driver.pragma('user_version');
      return driver;
    } catch (error) {
      driver.close();
      throw error;
    }
  });
}

function copyTo(path: string, copy: string): void {
  copyFileSync(path, copy, constants.COPYFILE_FICLONE);
  chmodSync(copy, 0o600);
}

/** Does what takes room in the folder for temporary files, and says so where that is full as well. */
function makingRoom<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const { code, message } = toAppError(cause);
    const isFull = code === 'DM_DISK_FULL' || (cause instanceof Database.SqliteError && isWithoutRoom(cause, path));
    if (!isFull) throw cause;
    throw new AppError(
      'DM_DISK_FULL',
      `${path} is read from a copy, since nothing can be written beside it: ${message}`,
      {
        hint: `Free space in ${tmpdir()} for it, name another folder in TMPDIR, copy the data directory to where this user may write, or raise the limit on open files where it is low (ulimit -n).`,
        cause,
      },
    );
  }
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * A text that is another one after whatever was written into the database of a path, told without opening it; it may be another one
 * although nothing was.
 */
export function databaseState(path: string): string {
  const states = [path, `${path}-wal`].map((file) => {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? 'none' : `${found.ino} ${found.size} ${found.mtimeNs}`;
  });
  return states.join(', ');
}
