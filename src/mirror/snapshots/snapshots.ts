// Snapshots: opened by a walk, sealed by what was counted, never changed afterwards.
import { AppError, count, isAbort, isoTime, type Pieces } from '../../base/index.ts';
import { CONTRACT_VERSION } from '../../contract/index.ts';
import { carryAccepted, SOUND } from './accepted.ts';
import { brakeReasons, type Brake } from './brake.ts';
import { countReplaced, countsOf } from '../observe/counts.ts';
import { moveRestores } from '../restores/journal.ts';
import type { Mirror, OpenSnapshot } from '../database/database.ts';
import { factOf, setFact } from '../database/meta.ts';
import { datedInOrder } from '../retention/dates.ts';
import { noteFigures } from './figures.ts';
import { clearFrontier } from '../observe/frontier.ts';
import { manifestHash } from './manifest.ts';
import { endOfMoment } from './moment.ts';
import { mergeSearch, noteTakenOut } from '../search/search-upkeep.ts';
import { moveSearch } from '../search/search.ts';
import { listShrunk } from '../observe/shrunk.ts';
import { compressSuperseded } from '../bodies/superseded.ts';
import type { SnapshotRow, SnapshotState } from '../database/tables.ts';
import { isSealed, SEALED } from './sealed-states.ts';
import { joinReasons, shrunkReason } from './reasons.ts';
import { unreadWords } from './unread-words.ts';

/** A snapshot as stored: numbered, dated, with its state and why. */
export type Snapshot = Omit<SnapshotRow, 'id'> & { readonly id: number };

export interface OpenSnapshotOptions {
  readonly mode: 'incremental' | 'full';
  readonly scope: string | null;
  readonly origin: string;
}

/** Opens the next snapshot. There is at most one open, and no number is given twice. */
export function openSnapshot(mirror: Mirror, options: OpenSnapshotOptions): number {
  const { store } = mirror;
  return store.run(
    store.sql.insertInto('snapshots').values({
      id: lastNumber(mirror) + 1,
      state: 'open',
      mode: options.mode,
      scope: options.scope,
      origin: options.origin,
      contract_version: CONTRACT_VERSION,
      started_at: isoTime(mirror.clock.now()),
      sealed_at: null,
      requests: 0,
      bytes: 0,
      duration_ms: 0,
      resumed: 0,
      reason: null,
      previous_hash: null,
      manifest_hash: null,
    }),
  ).insertId;
}

// Programs before this one could forget a walk that was given up and leave what it had seen and read: its number stands there then.
const NUMBERS = [
  ['snapshots', 'id'],
  ['versions', 'valid_from'],
  ['versions', 'valid_to'],
  ['tombstones', 'snapshot'],
  ['reads', 'snapshot'],
  ['routes', 'snapshot'],
];
const LAST_NUMBER = `select max(last) as last from (${NUMBERS.map(([table, column]) => `select max(${column}) as last from ${table} where ${column} is not null`).join(' union all ')})`;

function lastNumber({ store }: Mirror): number {
  return store.prepare<{ last: number | null }>(LAST_NUMBER).get()?.last ?? 0;
}

/** The open snapshot; undefined when no walk is under way or was cut off. */
export function openedSnapshot(mirror: Mirror): Snapshot | undefined {
  return mirror.store.prepare<Snapshot>(`select * from snapshots where state = 'open'`).get();
}

/** Keeps under which terms the open snapshot was begun, as text; until the next one is. */
export function setTerms({ mirror, id }: OpenSnapshot, terms: string): void {
  setFact(mirror, 'walk_terms', JSON.stringify({ snapshot: id, terms }));
}

/** The terms under which a snapshot was begun; undefined for one that is not the last, or that an older version began. */
export function termsOfSnapshot(mirror: Mirror, id: number): string | undefined {
  const stored = factOf(mirror, 'walk_terms');
  const kept =
    stored === undefined ? undefined : (JSON.parse(stored) as { readonly snapshot: number; readonly terms: string });
  return kept?.snapshot === id ? kept.terms : undefined;
}

/** What a walk has used. */
export interface Usage {
  readonly requests: number;
  readonly bytes: number;
  readonly durationMs: number;
}

/** Adds what a walk has used so far; kept with the data, so that a resumed walk counts all of it. */
export function addUsage(mirror: Mirror, id: number, usage: Usage): void {
  mirror.store
    .prepare(
      'update snapshots set requests = requests + ?, bytes = bytes + ?, duration_ms = duration_ms + ? where id = ?',
    )
    .run(usage.requests, usage.bytes, Math.round(usage.durationMs), id);
}

/** Counts one more walk that went on with an open snapshot. */
export function noteResumed(mirror: Mirror, id: number): void {
  mirror.store.prepare('update snapshots set resumed = resumed + 1 where id = ?').run(id);
}

/** Gives up an open snapshot: what it saw stays in the history, it is never published on its own. */
export function abandonSnapshot(mirror: Mirror, id: number, reason: string): void {
  mirror.store.transaction(() => {
    clearFrontier(mirror);
    mirror.store
      .prepare(`update snapshots set state = 'abandoned', reason = ?, sealed_at = ? where id = ?`)
      .run(reason, isoTime(mirror.clock.now()), id);
  });
}

/**
 * Seals the open snapshot. Its state is computed from the counts: a mass change makes it `suspect`, else anything that failed or
 * is out of reach makes it `partial`, otherwise it is `complete`. Readers see it from here on. What was used since it was added
 * last is asked for at the end, in the same transaction: a sealed snapshot is written to no more. What goes wrong behind it takes
 * nothing from it, and is told apart.
 */
export function* sealSnapshot({ mirror, id }: OpenSnapshot, brake: Brake, options: SealOptions = {}): Pieces<Snapshot> {
  const sealed = yield* seal({ mirror, id }, brake, options.usedSince);
  try {
    yield* mergeSearch(mirror);
  } catch (error) {
    // Whoever calls it off means to: the next snapshot has it merged.
    if (!isAbort(error)) options.onUnmerged?.(error);
  }
  return sealed;
}

export interface SealOptions {
  readonly usedSince?: () => Usage;
  /** The index could not be merged, as on a full disk: it is larger than it need be until the next snapshot is sealed. */
  readonly onUnmerged?: (error: unknown) => void;
}

function seal({ mirror, id }: OpenSnapshot, brake: Brake, usedSince: (() => Usage) | undefined): Pieces<Snapshot> {
  return mirror.store.longTransaction(function* sealing() {
    const previous = lastSealed(mirror);
    countReplaced({ mirror, id });
    const reasons = incompleteReasons(mirror, id);
    const alarms = brakeReasons(mirror, id, brake);
    // A mass change freezes retention whether or not something was not read besides.
    const state: SnapshotState = alarms.length > 0 ? 'suspect' : reasons.length > 0 ? 'partial' : 'complete';
    yield* moveSearch(mirror, id, previous?.id ?? 0);
    noteTakenOut(mirror, takenOut(mirror, id));
    noteFigures(mirror, id, previous?.id ?? 0);
    yield* compressSuperseded(mirror, id, previous?.id ?? 0);
    const record = {
      ...snapshotById(mirror, id),
      state,
      reason: joinReasons([...reasons, ...alarms]),
      sealed_at: isoTime(mirror.clock.now()),
    };
    const hash = yield* manifestHash(mirror, { snapshot: id, record, previous: previous?.manifest_hash ?? null });
    if (usedSince) addUsage(mirror, id, usedSince());
    mirror.store
      .prepare(
        'update snapshots set state = ?, reason = ?, sealed_at = ?, previous_hash = ?, manifest_hash = ? where id = ?',
      )
      .run(state, record.reason, record.sealed_at, previous?.manifest_hash ?? null, hash, id);
    if (state === 'partial') carryAccepted({ mirror, id });
    if (previous !== undefined && previous.origin !== record.origin)
      moveRestores(mirror, { from: previous.origin, to: record.origin });
    return snapshotById(mirror, id);
  });
}

function takenOut(mirror: Mirror, id: number): number {
  return Object.values(countsOf(mirror, id)).reduce((sum, { changed, gone }) => sum + changed + gone, 0);
}

function incompleteReasons(mirror: Mirror, id: number): string[] {
  const counted = Object.entries(countsOf(mirror, id)).flatMap(([kind, counts]) => [
    ...(counts.failed > 0 ? [unreadWords(mirror, { snapshot: id, kind, failed: counts.failed })] : []),
    ...(counts.missing > 0 ? [`${count(counts.missing, kind)} no longer listed`] : []),
    ...(counts.unreachable > 0 ? [`${count(counts.unreachable, kind)} out of reach`] : []),
  ]);
  const shrunk = listShrunk(mirror).map(shrunkReason);
  return [...counted, ...shrunk.slice(0, SHOWN_SHRUNK)];
}

const SHOWN_SHRUNK = 5;

/** The newest snapshot that is complete, partial or suspect; undefined before the first. */
export function lastSealed(mirror: Mirror): Snapshot | undefined {
  return mirror.store
    .prepare<Snapshot>(`select * from snapshots where state in ${SEALED} order by id desc limit 1`)
    .get();
}

/** The last complete snapshot of everything; walks that were limited do not count. */
export function lastComplete(mirror: Mirror): Snapshot | undefined {
  return lastOf(mirror, `state = 'complete'`);
}

/** The last snapshot of everything that is complete, or lacks only what was accepted. */
export function lastSound(mirror: Mirror): Snapshot | undefined {
  return lastOf(mirror, SOUND);
}

function lastOf({ store }: Mirror, states: string): Snapshot | undefined {
  const sql = `select * from snapshots where ${states} and scope is null order by id desc limit 1`;
  return store.prepare<Snapshot>(sql).get();
}

/** All snapshots, oldest first. */
export function listSnapshots(mirror: Mirror): Snapshot[] {
  return mirror.store.prepare<Snapshot>('select * from snapshots order by id').all();
}

/** Those that were sealed before another, the oldest first. */
export function sealedBefore(mirror: Mirror, id: number): Snapshot[] {
  return listSnapshots(mirror).filter((one) => one.id < id && isSealed(one));
}

/** Throws DM_SNAPSHOT_UNKNOWN when there is none with this number. */
export function snapshotById(mirror: Mirror, id: number): Snapshot {
  const row = mirror.store.prepare<Snapshot>('select * from snapshots where id = ?').get(id);
  if (row) return row;
  throw unknownSnapshot(String(id), nearestKept(mirror, id) ?? 'expected a number that `docmirror snapshots` lists');
}

/** Of a number below the newest: they are given in turn, so there was one. Null of others. */
function nearestKept(mirror: Mirror, id: number): string | null {
  const sealed = sealedSnapshots(mirror).map((one) => one.id);
  const later = sealed.find((one) => one > id);
  if (later === undefined || id < 1) return null;
  const earlier = sealed.findLast((one) => one < id);
  const kept = earlier === undefined ? `the oldest kept is ${later}` : `the nearest kept are ${earlier} and ${later}`;
  return `it was forgotten, and ${kept}`;
}

/**
 * The sealed snapshot meant by a number, `latest`, or a time: the last one started by the end of the day, minute or second
 * that is named, in UTC where no zone is; one that a wrong clock dated, as later ones show, is found by its number alone. Throws DM_SNAPSHOT_UNKNOWN or DM_NO_SNAPSHOT.
 */
export function resolveSnapshot(mirror: Mirror, spec: string | number): Snapshot {
  const text = String(spec);
  if (text === 'latest') {
    const latest = lastSealed(mirror);
    if (latest) return latest;
    throw noSnapshot();
  }
  if (/^\d{1,9}$/.test(text)) return sealedOnly(snapshotById(mirror, Number(text)));
  const at = endOfMoment(text);
  if (at === null)
    throw unknownSnapshot(
      text,
      'expected a snapshot number, "latest", a day of the calendar like 2025-03-01, or a time like 2025-03-01 12:00 (UTC) or 2025-03-01T12:00+02:00',
    );
  const end = isoTime(at);
  const nights = datedInOrder(sealedSnapshots(mirror));
  const row = nights.findLast(({ started_at }) => started_at <= end);
  if (row) return snapshotById(mirror, row.id);
  const [first] = nights;
  if (!first) throw noSnapshot();
  throw unknownSnapshot(
    text,
    `expected a time at or after ${first.started_at}, when the first one that is kept was begun`,
  );
}

function noSnapshot(): AppError {
  return new AppError('DM_NO_SNAPSHOT', 'There is no sealed snapshot yet', { hint: 'Run `docmirror sync` first.' });
}

function sealedSnapshots({ store }: Mirror): Pick<Snapshot, 'id' | 'started_at'>[] {
  const sql = `select id, started_at from snapshots where state in ${SEALED} order by id`;
  return store.prepare<Pick<Snapshot, 'id' | 'started_at'>>(sql).all();
}

function sealedOnly(snapshot: Snapshot): Snapshot {
  if (isSealed(snapshot)) return snapshot;
  throw unknownSnapshot(String(snapshot.id), `expected a sealed snapshot; this one is ${snapshot.state}`);
}

function unknownSnapshot(seen: string, why: string): AppError {
  return new AppError('DM_SNAPSHOT_UNKNOWN', `No snapshot "${seen}"; ${why}`, {
    hint: 'Run `docmirror snapshots` to see what there is.',
  });
}
