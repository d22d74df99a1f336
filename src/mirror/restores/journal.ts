// The journal of restores and the results of drills.
import { AppError, isoTime, sha256 } from '../../base/index.ts';
import type { Mirror } from '../database/database.ts';
import { UNHASHED_DRILL } from '../database/migrations.ts';
import { presentPlace } from './present-place.ts';
import type { DrillRow, RestoreRow, RestoreState, RestoreStepRow } from '../database/tables.ts';

export type RestoreRecord = RestoreRow;
export type RestoreStep = RestoreStepRow;
export type RestoreEnd = Exclude<RestoreState, 'running'>;

export type NewRestore = Pick<RestoreRow, 'id' | 'plan' | 'plan_hash' | 'snapshot' | 'target' | 'organization'>;

/** Begins the journal of a restore. */
export function beginRestore(mirror: Mirror, restore: NewRestore): void {
  const { store } = mirror;
  const started = { state: 'running' as const, created_at: nextBegin(mirror), ended_at: null, report: null };
  store.run(store.sql.insertInto('restores').values({ ...restore, ...started }));
}

interface Noted {
  readonly begun: string | null;
  readonly ended: string | null;
}

/**
 * Restores are put in order by when they began, and one that was gone on with after another began to take it back ends after that: neither
 * a clock that was set back nor one millisecond for two of them puts what comes now before what is noted already.
 */
function nextBegin({ store, clock }: Mirror): string {
  const { begun, ended } = store
    .prepare<Noted>('select max(created_at) as begun, max(ended_at) as ended from restores')
    .get() ?? { begun: null, ended: null };
  return latest(clock.now(), justAfter(begun), ended);
}

/** Notes how a run of a restore ended; one that failed or is unfinished may be resumed. */
export function endRestore({ store, clock }: Mirror, id: string, state: RestoreEnd): void {
  const { begun } = store
    .prepare<Pick<Noted, 'begun'>>('select max(created_at) as begun from restores where id <> ?')
    .get(id) ?? { begun: null };
  store
    .prepare('update restores set state = ?, ended_at = max(?, created_at) where id = ?')
    .run(state, latest(clock.now(), justAfter(begun)), id);
}

function justAfter(time: string | null): string | null {
  return time === null ? null : isoTime(Date.parse(time) + 1);
}

function latest(now: number, ...noted: readonly (string | null)[]): string {
  return isoTime(Math.max(now, ...noted.map((time) => (time === null ? now : Date.parse(time)))));
}

/** Keeps the report of the last verification. */
export function setRestoreReport(mirror: Mirror, id: string, report: unknown): void {
  mirror.store.prepare('update restores set report = ? where id = ?').run(JSON.stringify(report), id);
}

/** Takes a restore out of the journal, with its steps. */
export function dropRestore({ store }: Mirror, id: string): void {
  for (const sql of ['delete from restore_steps where restore = ?', 'delete from restores where id = ?'])
    store.prepare(sql).run(id);
}

/** What was restored into a platform is found, verified and taken back at its new address. */
export function moveRestores({ store }: Mirror, { from, to }: { readonly from: string; readonly to: string }): void {
  store.prepare('update restores set target = ? where target = ?').run(to, from);
}

/** Throws DM_RESTORE_UNKNOWN. */
export function restoreById(mirror: Mirror, id: string): RestoreRecord {
  const row = mirror.store.prepare<RestoreRecord>('select * from restores where id = ?').get(id);
  if (row) return withPresentPlan(mirror, row);
  throw new AppError('DM_RESTORE_UNKNOWN', `There is no restore "${id}"`, { hint: 'Run `docmirror restore list`.' });
}

/** The restore that a plan began, by the hash of the plan; undefined while it was not applied. */
export function restoreOfPlan(mirror: Mirror, planHash: string): RestoreRecord | undefined {
  const row = mirror.store.prepare<RestoreRecord>('select * from restores where plan_hash = ?').get(planHash);
  return row && withPresentPlan(mirror, row);
}

/** In the order in which they were begun. */
export function listRestores(mirror: Mirror): RestoreRecord[] {
  const rows = mirror.store.prepare<RestoreRecord>('select * from restores order by created_at, id').all();
  return rows.map((row) => withPresentPlan(mirror, row));
}

function withPresentPlan(mirror: Mirror, record: RestoreRecord): RestoreRecord {
  return { ...record, plan: presentPlace(mirror, record.plan) };
}

/**
 * Writes one step: `started` before its write goes out, its outcome after. Later entries of a step replace earlier ones. What was
 * verified before was without it, and is forgotten.
 */
export function noteStep({ store, clock }: Mirror, step: Omit<RestoreStep, 'at'>): void {
  store
    .prepare(
      'insert or replace into restore_steps (restore, step, state, kind, key, new_id, detail, at) values (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    .run(step.restore, step.step, step.state, step.kind, step.key, step.new_id, step.detail, isoTime(clock.now()));
  store.prepare('update restores set report = null where id = ? and report is not null').run(step.restore);
}

/** Replaces what a step keeps beside its outcome; when it was written stays. */
export function noteDetail(
  mirror: Mirror,
  { restore, step, detail }: Pick<RestoreStep, 'restore' | 'step' | 'detail'>,
): void {
  mirror.store.prepare('update restore_steps set detail = ? where restore = ? and step = ?').run(detail, restore, step);
}

/** What is noted of the steps of a restore, in their order; steps that were not begun are not among them. */
export function stepsOf(mirror: Mirror, restore: string): RestoreStep[] {
  return mirror.store.prepare<RestoreStep>('select * from restore_steps where restore = ? order by step').all(restore);
}

export interface Drill extends Omit<DrillRow, 'id' | 'passed'> {
  readonly id: number;
  readonly passed: boolean;
  /** False for a drill of a snapshot that was not the newest complete one: it proves nothing of what a restore would bring back. */
  readonly ofNewest: boolean;
}

/** Notes a drill that ends now, with a hash by which `check` tells it from a row that something else has put there. `durationMs` is how long it took. */
export function recordDrill(
  mirror: Mirror,
  drill: { snapshot: number; passed: boolean; requests: number; durationMs: number; report: unknown },
): void {
  const { snapshot, requests, passed, durationMs, report } = drill;
  const row = {
    snapshot,
    at: isoTime(mirror.clock.now()),
    passed: Number(passed),
    requests,
    duration_ms: Math.round(durationMs),
    report: JSON.stringify(report),
  };
  mirror.store.run(mirror.store.sql.insertInto('drills').values({ ...row, hash: hashOf(row) }));
}

/** Numbers of the drills that something else has put into the table, or changed since. */
export function foreignDrills(mirror: Mirror): number[] {
  const foreign: number[] = [];
  // One at a time: all of some years together are hundreds of megabytes.
  for (const { id, hash, ...row } of mirror.store.iterate<StoredDrill>('select * from drills order by id'))
    if (!isOld(hash) && hash !== hashOf(row)) foreign.push(id);
  return foreign;
}

/** A mirror that an earlier program wrote is read as it is, without the column. */
type StoredDrill = Omit<DrillRow, 'id' | 'hash'> & { readonly id: number; readonly hash?: string | null };

function isOld(hash: StoredDrill['hash']): boolean {
  return hash === undefined || hash === UNHASHED_DRILL;
}

function hashOf({ snapshot, at, passed, requests, duration_ms, report }: Omit<DrillRow, 'id' | 'hash'>): string {
  return sha256(JSON.stringify([snapshot, at, passed, requests, duration_ms, report]));
}

// Those of earlier programs do not say it.
const OF_NEWEST = `coalesce(json_extract(iif(json_valid(report), report, '{}'), '$.ofNewest'), 1)`;

interface ReadDrill extends Omit<Drill, 'passed' | 'ofNewest'> {
  readonly passed: number;
  readonly ofNewest: number;
}

function toDrill(row: ReadDrill): Drill {
  return { ...row, passed: row.passed === 1, ofNewest: row.ofNewest === 1 };
}

/** Results of drills, newest first. */
export function listDrills(mirror: Mirror, limit = 20): Drill[] {
  return mirror.store
    .prepare<ReadDrill>(`select *, ${OF_NEWEST} as ofNewest from drills order by id desc limit ?`)
    .all(limit)
    .map(toDrill);
}

/** The last drill that passed of what was the newest complete snapshot then. */
export function lastPassedDrill(mirror: Mirror): Drill | undefined {
  return lastDrill(mirror, 'passed = 1 and ofNewest = 1');
}

/** The last drill of what was the newest complete snapshot then, whether it passed or not. */
export function lastDrillOfNewest(mirror: Mirror): Drill | undefined {
  return lastDrill(mirror, 'ofNewest = 1');
}

function lastDrill(mirror: Mirror, condition: string): Drill | undefined {
  const row = mirror.store
    .prepare<ReadDrill>(`select *, ${OF_NEWEST} as ofNewest from drills where ${condition} order by id desc limit 1`)
    .get();
  return row && toDrill(row);
}

// As many as a status shows.
const LAST_DRILLS = 5;
const FORGET_DRILLS = `delete from drills where snapshot not in (select id from snapshots)
  and id not in (select id from drills order by id desc limit ${LAST_DRILLS})
  and id not in (select max(id) from drills where ${OF_NEWEST} = 1 group by passed)`;

/**
 * Drills of snapshots that were forgotten go with them, but for the last ones, and for the last one of each outcome: each holds up to a
 * thousand differences, and there is one each night.
 */
export function forgetDrills({ store }: Pick<Mirror, 'store'>): void {
  store.prepare(FORGET_DRILLS).run();
}
