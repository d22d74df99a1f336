// What an open walk still has to visit. It is committed with the data that a visit produced, so it is the checkpoint.
import { hash } from 'node:crypto';
import type { Mirror, OpenSnapshot } from '../database/database.ts';

/** One visit: a task by name with its parameters, plain data. */
export interface Visit {
  readonly seq: number;
  readonly task: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly attempts: number;
  /** Visits of one place belong together: they are of one space. */
  readonly place: number;
}

export interface NewVisit {
  readonly task: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Lower stages are visited first, 0; later ones wait until those are empty. */
  readonly stage?: number;
  /** Within a stage lower places go first, 0: a space is read to its end before the next one is begun. */
  readonly place?: number;
  readonly attempts?: number;
}

const LONGEST_TWIN = 64;
const ADD = `insert or ignore into frontier (snapshot, stage, place, task, params, twin, attempts) values (?, ?, ?, ?, ?, ?, ?)`;

/** Adds a visit; one that is already waiting with the same task and parameters is not added twice. */
export function addVisit({ mirror, id: snapshot }: OpenSnapshot, visit: NewVisit): void {
  const { stage = 0, place = 0, task, attempts = 0 } = visit;
  const params = JSON.stringify(visit.params);
  const twin = twinOf(task, params, visit.params['scope']);
  mirror.store.prepare(ADD).run(snapshot, stage, place, task, params, twin, attempts);
}

/** Visits below one resource stand together in the index: what is written to it at once lies on few of its pages. */
function twinOf(task: string, params: string, scope: unknown): string {
  if (task.length + params.length < LONGEST_TWIN) return `${task} ${params}`;
  const said = hash('sha256', params, 'base64');
  return typeof scope === 'number' ? `${task} ${scope} ${said}` : `${task} ${said}`;
}

interface Row {
  readonly seq: number;
  readonly task: string;
  readonly params: string;
  readonly attempts: number;
  readonly place: number;
}

interface Following {
  readonly stage: number;
  /** Numbers of visits that are begun. */
  readonly underWay: ReadonlySet<number>;
  /** The place beyond which they are; -1 for all. */
  readonly beyond: number;
}

/** Numbers of the next visits of a stage that are not under way, in their order. */
export function nextVisits(mirror: Mirror, { stage, underWay, beyond }: Following, limit: number): number[] {
  return mirror.store
    .prepare<{ seq: number }>('select seq from frontier where stage = ? and place > ? order by place, seq limit ?')
    .all(stage, beyond, limit + underWay.size)
    .map(({ seq }) => seq)
    .filter((seq) => !underWay.has(seq));
}

/** Waiting visits by their numbers, in the order of these. */
export function visitsBy(mirror: Mirror, seqs: readonly number[]): Visit[] {
  const sql = `select f.seq, f.task, f.params, f.attempts, f.place from json_each(?) j join frontier f on f.seq = j.value order by j.key`;
  return mirror.store.prepare<Row>(sql).all(JSON.stringify(seqs)).map(toVisit);
}

function toVisit({ seq, task, params, attempts, place }: Row): Visit {
  return { seq, task, params: JSON.parse(params) as Record<string, unknown>, attempts, place };
}

/** All visits that wait, in their order; nothing may be written while they are read. */
export function* waitingVisits(mirror: Mirror): IterableIterator<Visit & { readonly stage: number }> {
  const sql = 'select seq, stage, task, params, attempts, place from frontier order by stage, place, seq';
  const rows = mirror.store.driver.prepare<[], Row & { stage: number }>(sql);
  for (const row of rows.iterate()) yield { ...toVisit(row), stage: row.stage };
}

/** The lowest stage that still has visits; null when the walk is done. */
export function lowestStage(mirror: Mirror): number | null {
  return (
    mirror.store.prepare<{ stage: number | null }>('select min(stage) as stage from frontier').get()?.stage ?? null
  );
}

/** The number of the visit that was added last, among those that wait. */
export function lastVisit(mirror: Mirror): number {
  return mirror.store.prepare<{ seq: number | null }>('select max(seq) as seq from frontier').get()?.seq ?? 0;
}

/** Leaves a visit on the frontier, to be made once more. */
export function visitAgain(mirror: Mirror, seq: number): void {
  mirror.store.prepare('update frontier set attempts = attempts + 1 where seq = ?').run(seq);
}

export function finishVisit(mirror: Mirror, seq: number): void {
  mirror.store.prepare('delete from frontier where seq = ?').run(seq);
}

/** How many visits wait; of one task, or all. */
export function visitsLeft(mirror: Mirror, task?: string): number {
  const where = task === undefined ? '' : ' where task = ?';
  const statement = mirror.store.prepare<{ n: number }>(`select count(*) as n from frontier${where}`);
  return (task === undefined ? statement.get() : statement.get(task))?.n ?? 0;
}

/** How many visits wait that lead to others: trees of spaces, and pages. */
export function leadingVisits(mirror: Mirror): { readonly trees: number; readonly pages: number } {
  const sql = `select count(*) filter (where task = 'content' and params ->> '$.kind' = 'revision') as trees,
    count(*) filter (where task = 'page') as pages from frontier`;
  return mirror.store.prepare<{ trees: number; pages: number }>(sql).get() ?? { trees: 0, pages: 0 };
}

/** Takes everything off the frontier: the walk ends here. */
export function clearFrontier(mirror: Mirror): void {
  mirror.store.prepare('delete from frontier').run();
}
