// Opening mirror.db: the one place that knows its file, its schema and its lock.
import { statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  AppError,
  codeOf,
  databaseState,
  ensurePrivateDirectory,
  openSqlite,
  toAppError,
  type Clock,
  type Logger,
  type SqlStore,
} from '../../base/index.ts';
import { raiseFence } from './fence.ts';
import { standInForNewTables } from './former.ts';
import { factOf } from './meta.ts';
import { mirrorMigrations } from './migrations.ts';
import { guardPlaces } from './place.ts';
import { addTextFunctions } from '../bodies/stored-text.ts';
import { createObjectStore, type ObjectStore } from '../bodies/objects.ts';
import type { MirrorTables } from './tables.ts';

/** The local mirror: `mirror.db` and `objects/` of one data directory. */
export interface Mirror extends Disposable {
  readonly store: SqlStore<MirrorTables>;
  readonly objects: ObjectStore;
  readonly clock: Clock;
  readonly dataDir: string;
}

/** The snapshot that a walk is writing, by its number. */
export interface OpenSnapshot {
  readonly mirror: Mirror;
  readonly id: number;
}

export interface MirrorOptions {
  /** Absolute path of the data directory. */
  readonly dataDir: string;
  readonly clock: Clock;
  /** Told what went otherwise than it should, and harms nothing. */
  readonly log?: Logger;
}

// Texts of several kilobytes: on pages of 8 KiB, nearly half of the file would be empty.
const PAGE_SIZE = 32_768;
// A walk writes to a dozen tables and indexes at once: with less, each transaction would read most of what it changes anew. And whoever
// reads one resource after another would find little of what the one before has read.
const CACHE_KIB = 16_000;
// Pages in the log before they are moved to their place: what is changed often is moved once.
const LOG_PAGES = 2000;
// A log that has filled the disk up leaves no room for what is moved out of it: nothing more could be written before some is freed.
const LOG_SHARE = 0.125;
const LEAST_LOG_PAGES = 32;

/** Where the database of a data directory lies. */
export function databasePath(dataDir: string): string {
  return join(dataDir, 'mirror.db');
}

function objectsFolder({ dataDir }: MirrorOptions): string {
  return join(dataDir, 'objects');
}

/** Opens the mirror for writing and makes it if it is not there. The caller holds the lease of the data directory. Whoever opened it before writes no more. */
export async function openMirror(options: MirrorOptions): Promise<Mirror> {
  await ensurePrivateDirectory(options.dataDir);
  // Also where nothing has a file yet: whoever copies the mirror copies this folder.
  await ensurePrivateDirectory(objectsFolder(options));
  const { createViews } = await import('../views/create-views.ts');
  const store = openSqlite<MirrorTables>({
    path: databasePath(options.dataDir),
    name: 'the mirror',
    migrations: mirrorMigrations,
    pageSize: PAGE_SIZE,
    onNotSmaller: (error) => tellNotSmaller(options, error),
  });
  const mirror = assemble(store, options, () => {
    store.driver.pragma(`cache_size = -${CACHE_KIB}`);
    store.driver.pragma(`wal_autocheckpoint = ${logPages(options)}`);
    createViews(store);
    return guardPlaces(raiseFence(store), [databasePath(options.dataDir), objectsFolder(options)]);
  });
  mirror.objects.dropTemporary();
  return mirror;
}

function logPages({ dataDir }: MirrorOptions): number {
  const { bavail, blocks, bsize } = statfsSync(dataDir);
  // Some file systems do not tell.
  if (blocks === 0) return LOG_PAGES;
  const share = Math.floor((bavail * bsize * LOG_SHARE) / PAGE_SIZE);
  return Math.min(LOG_PAGES, Math.max(LEAST_LOG_PAGES, share));
}

function tellNotSmaller({ log }: MirrorOptions, error: unknown): void {
  const { code, message } = toAppError(error);
  const what =
    'the database is of the newest form, but the disk has no room to make it smaller: free some, then `docmirror prune` does that';
  log?.warn({ code, why: message }, what);
}

/** Throws DM_DATA_DIR_UNUSABLE where the mirror is no more where it was opened, and DM_LEASE_LOST where another one writes it now. */
export function demandWriter({ store }: Mirror): void {
  // Each transaction looks at both when it begins.
  store.transaction(() => undefined);
}

/**
 * From now on each transaction of this connection is on the disk when it ends. Else those of the last half minute may be gone after a
 * power cut: a walk reads that again, but snapshots that were forgotten would be back without the bytes of their files.
 */
export function outlastPowerCuts({ store }: Mirror): void {
  store.driver.pragma('synchronous = FULL');
}

/** Ends when what `work` writes, and all that was written before, is on the disk. Not inside a transaction. */
export function durably(mirror: Mirror, work: () => void): void {
  outlastPowerCuts(mirror);
  try {
    work();
  } finally {
    mirror.store.driver.pragma('synchronous = NORMAL');
  }
}

/** Opens an existing mirror for reading only; DM_NO_SNAPSHOT when there is none. Never blocks a writer nor waits for one. */
export function readMirror(options: MirrorOptions): Mirror {
  const path = databasePath(options.dataDir);
  if (!isThere(path)) throw noMirror(options, 'is missing');
  const store = openSqlite<MirrorTables>({ path, name: 'the mirror', migrations: mirrorMigrations, readonly: true });
  return assemble(store, options, () => {
    // A first walk that is only just beginning, or that found the disk full before it could.
    if (store.driver.pragma('user_version', { simple: true }) === 0) throw noMirror(options, 'is still empty');
    store.driver.pragma(`cache_size = -${CACHE_KIB}`);
    standInForNewTables(store.driver);
    return store;
  });
}

/** The same, null when there is none: not yet, or a first walk is only just beginning. */
export function mirrorIfThere(options: MirrorOptions): Mirror | null {
  try {
    return readMirror(options);
  } catch (error) {
    if (error instanceof AppError && error.code === 'DM_NO_SNAPSHOT') return null;
    throw error;
  }
}

/** What is another text after whatever was written into the mirror, without opening it: for whoever looks again and again. */
export function mirrorState(dataDir: string): string {
  return databaseState(databasePath(dataDir));
}

/** Throws what the system says where it does not let us look: whoever may not see a mirror is not told that there is none. */
function isThere(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}

function noMirror({ dataDir }: MirrorOptions, seen: string): AppError {
  return new AppError('DM_NO_SNAPSHOT', `There is no mirror in ${dataDir}: mirror.db ${seen}`, {
    hint: 'Run `docmirror sync` first, or name the right directory with --data-dir.',
  });
}

function assemble(
  store: SqlStore<MirrorTables>,
  options: MirrorOptions,
  prepare: () => SqlStore<MirrorTables>,
): Mirror {
  try {
    addTextFunctions(store.driver);
    return {
      store: prepare(),
      objects: createObjectStore(objectsFolder(options)),
      clock: options.clock,
      dataDir: options.dataDir,
      [Symbol.dispose]: () => store[Symbol.dispose](),
    };
  } catch (error) {
    store[Symbol.dispose]();
    throw error;
  }
}

/** What tells this mirror from every other one, also from one of the same platform; a copy of it has the same. */
export function mirrorIdentity(mirror: Mirror): string {
  return factOf(mirror, 'mirror') ?? '';
}
