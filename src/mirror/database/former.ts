// A mirror that an earlier program wrote and that none has written to since, as readers of it meet it: what came since is empty.
import type Database from 'better-sqlite3';
import { mirrorMigrations } from './migrations.ts';

/** The first version of the schema whose new tables are asked for wherever a mirror is read. */
const SINCE_SHARED_TREES = 8;

/** Lets a connection that only reads ask for tables which the mirror does not have yet. */
export function standInForNewTables(driver: Database.Database): void {
  const version = Number(driver.pragma('user_version', { simple: true }));
  for (const [since, migration] of Object.entries(mirrorMigrations))
    if (Number(since) >= SINCE_SHARED_TREES && version < Number(since)) driver.exec(emptyTables(migration));
}

/** The tables that a migration makes, as temporary ones. */
function emptyTables(migration: string): string {
  const tables = migration.split(';').filter((statement) => statement.trimStart().startsWith('create table'));
  return tables.map((table) => table.replace('create table', 'create temp table if not exists')).join(';');
}
