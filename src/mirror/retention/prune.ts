// Forgetting snapshots and freeing what nothing refers to any more. What every kept snapshot shows stays as it was.
import { rmSync } from 'node:fs';
import { AppError, isoTime, type Pieces } from '../../base/index.ts';
import { deletedSpaces } from '../reading/bin.ts';
import { isAccepted, listAccepted } from '../snapshots/accepted.ts';
import { lastGood } from '../snapshots/brake.ts';
import { outlastPowerCuts, type Mirror } from '../database/database.ts';
import { mergeEqualVersions } from '../reading/equal-versions.ts';
import { handOnMoves } from '../snapshots/figures.ts';
import { firstTampered, sealAgain } from '../snapshots/manifest.ts';
import { atOneInstant } from '../database/one-instant.ts';
import { inRanges, withinSql } from '../database/ranges.ts';
import { forgetDrills } from '../restores/journal.ts';
import { pruneBodies } from './prune-bodies.ts';
import { retain, type RetentionPolicy, type RetentionVerdict } from './retention.ts';
import { damagedSurvivor } from './survivors.ts';
import { lastSealed, listSnapshots, openedSnapshot } from '../snapshots/snapshots.ts';
import { OF_TREE } from '../observe/shared-trees.ts';
import { SEALED } from '../snapshots/sealed-states.ts';

/** What the policy says of each snapshot, oldest first. Changes nothing. */
export function planForget(mirror: Mirror, policy: RetentionPolicy): RetentionVerdict[] {
  const pins = new Map(listPins(mirror).map(({ snapshot, reason }) => [snapshot, reason]));
  // A policy of a few nights must not drop what a deletion took away before anybody noticed.
  const bin = deletedSpaces(mirror, mirror.clock.now());
  const telling = new Set(bin.flatMap(({ lastSeen, goneSince }) => [lastSeen, goneSince]));
  const accepted = new Set(listAccepted(mirror).map(({ snapshot }) => snapshot));
  const all = listSnapshots(mirror).map((one) => ({
    ...one,
    pinned: pins.get(one.id) ?? null,
    telling: telling.has(one.id),
    accepted: accepted.has(one.id),
  }));
  return retain(all, policy);
}

/**
 * Drops the snapshots that the policy does not keep. Refuses with DM_BRAKE while the newest snapshot is suspect, and with
 * DM_CHECK_FAILED when the survivors are not what was sealed: by the chain of manifests, or because what is newest of something is
 * damaged whose earlier state would go. Space is freed by `prune`.
 */
export function* forget(mirror: Mirror, policy: RetentionPolicy): Pieces<RetentionVerdict[]> {
  const verdicts = planForget(mirror, policy);
  const refusal = yield* forgetRefusal(mirror, verdicts);
  if (refusal) throw refusal;
  const dropped = droppedBy(verdicts);
  outlastPowerCuts(mirror);
  if (dropped.length > 0) yield* mirror.store.longTransaction(() => drop(mirror, dropped));
  return verdicts;
}

function* drop(mirror: Mirror, dropped: readonly number[]): Pieces<void> {
  for (const id of dropped) forgetOne(mirror, id);
  mirror.store.prepare(FORGOTTEN).run();
  forgetDrills(mirror);
  yield* settleHistory(mirror);
}

// One of a snapshot that is yet to come is for a check to tell of.
const FORGOTTEN = `delete from accepted where snapshot not in (select id from snapshots)
  and snapshot < (select max(id) from snapshots)`;

/** Keeps a snapshot whatever the policy says, until it is unpinned. */
export function pinSnapshot(mirror: Mirror, snapshot: number, reason: string): void {
  mirror.store
    .prepare('insert or replace into pins (snapshot, reason, at) values (?, ?, ?)')
    .run(snapshot, reason, isoTime(mirror.clock.now()));
}

export interface Pin {
  readonly snapshot: number;
  readonly reason: string;
  readonly at: string;
}

/** Snapshots that are kept whatever the policy says, oldest first. */
export function listPins(mirror: Mirror): Pin[] {
  return mirror.store.prepare<Pin>('select snapshot, reason, at from pins order by snapshot').all();
}

/** True when it was pinned. */
export function unpinSnapshot(mirror: Mirror, snapshot: number): boolean {
  return mirror.store.prepare('delete from pins where snapshot = ?').run(snapshot).changes > 0;
}

function droppedBy(verdicts: readonly RetentionVerdict[]): number[] {
  return verdicts.filter((one) => !one.keep).map((one) => one.id);
}

/** Why these may not be forgotten now, as `forget` throws it; null when they may. */
export function forgetRefusal(mirror: Mirror, verdicts: readonly RetentionVerdict[]): Pieces<AppError | null> {
  // A dry run stands beside a daemon that seals and forgets: the chain of before, compared with what is there since, would look damaged.
  return atOneInstant(mirror, refusalNow(mirror, verdicts));
}

function* refusalNow(mirror: Mirror, verdicts: readonly RetentionVerdict[]): Pieces<AppError | null> {
  return anomalyIn(mirror) ?? (yield* damageIn(mirror)) ?? (yield* damageLeft(mirror, verdicts));
}

function* damageLeft(mirror: Mirror, verdicts: readonly RetentionVerdict[]): Pieces<AppError | null> {
  const damaged = yield* damagedSurvivor(mirror, droppedBy(verdicts));
  if (damaged === null) return null;
  const { what, snapshot } = damaged;
  const isNewest = snapshot === lastSealed(mirror)?.id;
  const where = isNewest ? 'the newest snapshot' : `snapshot ${snapshot}`;
  const mend = isNewest
    ? 'Run docmirror sync --full, which reads it again'
    : `Put back a copy of the data directory, or let go of snapshot ${snapshot} too`;
  return new AppError(
    'DM_CHECK_FAILED',
    `What is stored of ${what} is damaged in ${where}, and an earlier state of it would go; nothing is forgotten`,
    { hint: `${mend}; docmirror check --read-data names all that is damaged.` },
  );
}

function anomalyIn(mirror: Mirror): AppError | null {
  const newest = lastSealed(mirror);
  if (newest?.state !== 'suspect' || isAccepted(mirror, newest.id)) return null;
  const good = lastGood(mirror);
  const look = good === null ? `docmirror snapshots show ${newest.id}` : `docmirror diff ${good} ${newest.id}`;
  return new AppError(
    'DM_BRAKE',
    `Snapshot ${newest.id} is suspect (${newest.reason ?? 'mass change'}); nothing is forgotten while that stands`,
    {
      hint: `Look at \`${look}\`; if the change is meant, \`docmirror snapshots accept ${newest.id} --reason "…"\` lifts the brake.`,
    },
  );
}

function* damageIn(mirror: Mirror): Pieces<AppError | null> {
  const tampered = yield* firstTampered(mirror);
  if (tampered === null) return null;
  return new AppError('DM_CHECK_FAILED', `Snapshot ${tampered} is not what was sealed; nothing is forgotten`, {
    hint: 'Run `docmirror check --read-data` and restore the data directory from a copy.',
  });
}

function forgetOne(mirror: Mirror, id: number): void {
  handOnMoves(mirror, id);
  for (const table of ['snapshot_kinds', 'snapshot_figures', 'requests_failed', 'not_offered', 'refused']) {
    mirror.store.prepare(`delete from ${table} where snapshot = ?`).run(id);
  }
  mirror.store.prepare('delete from snapshots where id = ?').run(id);
}

/**
 * Versions that no kept snapshot shows go; the others begin and end with kept snapshots that show something, so that the history
 * reads the same at each of them: one that was given up shows nothing, pinned or not. Those that meet and are the same become one.
 * The chain of manifests is sealed anew over what is left.
 */
function* settleHistory(mirror: Mirror): Pieces<void> {
  const from = lastSealed(mirror)?.id ?? 0;
  const versions = { table: 'versions', column: 'vid', values: { from } } as const;
  yield* inRanges(mirror, { ...versions, sql: SHOWN_NOWHERE });
  for (const edge of ['valid_from', 'valid_to'] as const)
    yield* inRanges(mirror, { ...versions, sql: edgeSql('versions', edge) });
  settleSharedTrees(mirror, from);
  settleTombstones(mirror, from);
  yield;
  mergeEqualVersions(mirror, from);
  yield;
  yield* sealAgain(mirror);
}

const UNSHOWN = `valid_to is not null and valid_to <= @from
  and not exists (select 1 from snapshots s where s.id >= valid_from and s.id < valid_to and s.state in ${SEALED})`;
const SHOWN_NOWHERE = `delete from versions where ${withinSql('vid')} and ${UNSHOWN}`;

function edgeSql(table: 'versions' | 'shared_trees', edge: 'valid_from' | 'valid_to'): string {
  return `update ${table} set ${edge} = (select min(s.id) from snapshots s where s.id >= ${table}.${edge} and s.state in ${SEALED})
    where ${table === 'versions' ? `${withinSql('vid')} and` : ''} ${edge} not in (select id from snapshots where state in ${SEALED}) and ${edge} <= @from`;
}

const OF_NO_TREE = `delete from shared_entries as e where not exists (select 1 from shared_trees st where ${OF_TREE})`;

/** The same for what change requests show as their spaces did: there are few of those trees. */
function settleSharedTrees({ store }: Mirror, from: number): void {
  store.prepare(`delete from shared_trees where ${UNSHOWN}`).run({ from });
  store.prepare(OF_NO_TREE).run();
  for (const edge of ['valid_from', 'valid_to'] as const) store.prepare(edgeSql('shared_trees', edge)).run({ from });
}

const NEXT_KEPT = `(select min(s.id) from snapshots s where s.id >= t.snapshot and s.state in ${SEALED})`;
const UNKEPT = `t.snapshot <= @from and t.snapshot not in (select id from snapshots where state in ${SEALED})`;

/** What proves an end goes with it to the first kept snapshot that shows it; what proves none that is left to see goes. */
function settleTombstones({ store }: Mirror, from: number): void {
  store
    .prepare(
      `delete from tombstones as t where ${UNKEPT} and (
         not exists (select 1 from versions v where v.rid = t.rid and v.valid_to = ${NEXT_KEPT})
         and not exists (select 1 from resources r join shared_trees s on s.rid = r.scope and s.kind = r.kind and s.valid_to = ${NEXT_KEPT}
           where r.rid = t.rid)
         or exists (select 1 from versions v where v.rid = t.rid and v.valid_from = ${NEXT_KEPT})
         or exists (select 1 from tombstones o where o.rid = t.rid and o.snapshot > t.snapshot and o.snapshot <= ${NEXT_KEPT}))`,
    )
    .run({ from });
  store.prepare(`update tombstones as t set snapshot = ${NEXT_KEPT} where ${UNKEPT}`).run({ from });
}

export interface Pruned {
  readonly bodies: number;
  readonly objects: number;
  /** Bytes of the objects that were removed. */
  readonly bytes: number;
}

/** Frees texts and bytes that no version refers to, and what was noted of resources without a version. Safe to run again. */
export function* prune(mirror: Mirror): Pieces<Pruned> {
  // Bytes are gone at once: no database may come back that names them.
  outlastPowerCuts(mirror);
  const bodies = yield* pruneBodies(mirror);
  yield;
  pruneResources(mirror);
  yield;
  yield* giveBack(mirror);
  return { bodies, ...(yield* pruneObjects(mirror)) };
}

// So many pages are moved to their place in some ten milliseconds.
const PAGES_AT_ONCE = 500;

/** Gives the freed pages back to the system. */
function* giveBack({ store: { driver } }: Mirror): Pieces<void> {
  const free = (): number => Number(driver.pragma('freelist_count', { simple: true }));
  for (let left = free(), before = Infinity; left > 0 && left < before; [before, left] = [left, free()]) {
    driver.pragma(`incremental_vacuum(${PAGES_AT_ONCE})`);
    yield;
  }
}

// Resources without a version, from the leaves up. An open walk may still name them.
function pruneResources(mirror: Mirror): void {
  const { store } = mirror;
  if (openedSnapshot(mirror)) return;
  store.transaction(() => {
    store.driver.exec(`create temp table bare (rid integer primary key)`);
    do {
      store.driver.exec(`delete from bare; insert into bare select rid from resources r
        where not exists (select 1 from versions v where v.rid = r.rid) and not exists (select 1 from resources c where c.scope = r.rid)
        and not exists (select 1 from tombstones t where t.rid = r.rid)
        and rid not in (select parent from versions where parent is not null)
        and not exists (select 1 from shared_entries e where e.rid = r.rid) and not exists (select 1 from shared_trees t where t.rid = r.rid)
        and rid not in (select parent from shared_entries where parent is not null)`);
      for (const { table, key } of NOTES)
        store.driver.exec(`delete from ${table} where ${key} in (select rid from bare)`);
    } while (store.driver.prepare('delete from resources where rid in (select rid from bare)').run().changes > 0);
    store.driver.exec('drop table bare');
  });
}

const NOTES = [
  { table: 'routes', key: 'rid' },
  { table: 'reads', key: 'scope' },
  { table: 'shortages', key: 'scope' },
  { table: 'missing', key: 'rid' },
  { table: 'unreachable', key: 'rid' },
] as const;

const OBJECTS_AT_ONCE = 100;

function* pruneObjects(mirror: Mirror): Pieces<{ objects: number; bytes: number }> {
  const used = new Set(
    mirror.store
      .prepare<{ object: string }>(
        'select object from versions where object is not null union select object from shared_entries where object is not null',
      )
      .all()
      .map((row) => row.object),
  );
  let objects = 0;
  let bytes = 0;
  for (const name of mirror.objects.list()) {
    if (used.has(name)) continue;
    bytes += mirror.objects.sizeOf(name) ?? 0;
    rmSync(mirror.objects.pathOf(name), { force: true });
    objects += 1;
    if (objects % OBJECTS_AT_ONCE === 0) yield;
  }
  return { objects, bytes };
}
