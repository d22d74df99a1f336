// A mirror that an earlier program wrote and that none has written to since, as readers of it meet it: what came since is empty.
import type Database from 'better-sqlite3';

const SINCE_SHARED_TREES = 8;

const EMPTY = `create temp table if not exists shared_trees (tid, rid, kind, series, valid_from, valid_to, mark, hash, amount, documents);
create temp table if not exists shared_entries (series, rid, first, last, parent, position, body, text, document, object, size);`;

/** Lets a connection that only reads ask for tables which the mirror does not have yet. */
export function standInForNewTables(driver: Database.Database): void {
  if (Number(driver.pragma('user_version', { simple: true })) < SINCE_SHARED_TREES) driver.exec(EMPTY);
}
