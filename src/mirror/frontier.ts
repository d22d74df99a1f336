// What an open walk still has to visit. It is committed with the data that a visit produced, so it is the checkpoint.
import type { Mirror, OpenSnapshot } from './database.ts';

/** One visit: a task by name with its parameters, plain data. */
export interface Visit {
  readonly seq: number;
  readonly task: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly attempts: number;
}

export interface NewVisit {
  readonly task: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Lower stages are visited first, 0; later ones wait until those are empty. */
  readonly stage?: number;
  readonly attempts?: number;
}

/** Adds a visit; one that is already waiting with the same task and parameters is not added twice. */
export function addVisit({ mirror, id: snapshot }: OpenSnapshot, visit: NewVisit): void {
  mirror.store
    .prepare('insert or ignore into frontier (snapshot, stage, task, params, attempts) values (?, ?, ?, ?, ?)')
    .run(snapshot, visit.stage ?? 0, visit.task, JSON.stringify(visit.params), visit.attempts ?? 0);
}

/** The next visits of the lowest stage that has any, after the given one, oldest first. */
export function nextVisits(
  mirror: Mirror,
  after: { stage: number; seq: number },
  limit: number,
): (Visit & { stage: number })[] {
  const rows = mirror.store
    .prepare<{ seq: number; stage: number; task: string; params: string; attempts: number }>(
      'select seq, stage, task, params, attempts from frontier where stage = ? and seq > ? order by seq limit ?',
    )
    .all(after.stage, after.seq, limit);
  return rows.map((row) => ({ ...row, params: JSON.parse(row.params) as Record<string, unknown> }));
}

/** The lowest stage that still has visits; null when the walk is done. */
export function lowestStage(mirror: Mirror): number | null {
  return (
    mirror.store.prepare<{ stage: number | null }>('select min(stage) as stage from frontier').get()?.stage ?? null
  );
}

export function finishVisit(mirror: Mirror, seq: number): void {
  mirror.store.prepare('delete from frontier where seq = ?').run(seq);
}

export function visitsLeft(mirror: Mirror): number {
  return mirror.store.prepare<{ n: number }>('select count(*) as n from frontier').get()?.n ?? 0;
}
