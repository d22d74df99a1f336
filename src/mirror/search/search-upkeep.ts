// The full-text index keeps what was taken out of it until its parts are merged. Left alone it would come to several times
// its size; merged in small steps, each of which frees what it has read, it stays as large as what it indexes.
import type { Pieces } from '../../base/index.ts';
import type { Mirror } from '../database/database.ts';
import { factOf, setFact } from '../database/meta.ts';

// Merged once so much of it was taken out: each night's words are written so often, on average, and no more.
const TAKEN_OUT_SHARE = 0.02;
const STEP_PAGES = 64;

/** Counts what is taken out, for the next merge; in the transaction in which it is. */
export function noteTakenOut(mirror: Mirror, changes: number): void {
  setPending(mirror, pendingChanges(mirror) + changes);
}

/** Merges the index when enough was taken out of it since it was merged last. Safe to stop at any point: then the next one does it. */
export function* mergeSearch(mirror: Mirror): Pieces<void> {
  const tables = mirror.store
    .prepare<{ name: string }>(`select name from sqlite_schema where type = 'table' and sql like '%using fts5%'`)
    .all()
    .map(({ name }) => name);
  const pending = pendingChanges(mirror);
  const documents = tables.reduce((sum, table) => sum + documentsIn(mirror, table), 0);
  if (pending === 0 || pending < documents * TAKEN_OUT_SHARE) return;
  for (const table of tables) yield* mergeTable(mirror, table);
  setPending(mirror, 0);
}

function setPending(mirror: Mirror, pending: number): void {
  setFact(mirror, 'search_pending', String(pending));
}

function* mergeTable(mirror: Mirror, table: string): Pieces<void> {
  const { store } = mirror;
  const step = store.prepare(`insert into ${table} (${table}, rank) values ('merge', ?)`);
  const total = store.prepare<{ n: number }>('select total_changes() as n');
  // Else a merge of fewer than four parts stops after its first step.
  store.driver.exec(`insert into ${table} (${table}, rank) values ('usermerge', 2)`);
  step.run(-STEP_PAGES);
  let before = 0;
  do {
    before = total.get()?.n ?? 0;
    step.run(STEP_PAGES);
    yield;
  } while ((total.get()?.n ?? 0) - before > 1);
}

function pendingChanges(mirror: Mirror): number {
  return Number(factOf(mirror, 'search_pending') ?? 0);
}

function documentsIn(mirror: Mirror, table: string): number {
  return mirror.store.prepare<{ n: number }>(`select count(*) as n from ${table}_docsize`).get()?.n ?? 0;
}
