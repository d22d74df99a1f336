// Absence, with its evidence. A tombstone is written only after the listing was read to its end, the parent was seen in the
// same walk and a direct read said gone; "no access" is a state of its own and ends nothing.
import { isoTime, readableJson } from '../../base/index.ts';
import { isBeside, isKindName, isReadEachNight, type KindName } from '../../contract/index.ts';
import { jsonAtSql } from '../bodies/stored-json.ts';
import { countKind } from './counts.ts';
import { paramsOf, type Params } from './key.ts';
import type { Mirror, OpenSnapshot } from '../database/database.ts';
import { isEverShared, wasThere } from './before.ts';
import type { Held } from './observe.ts';
import { clearReadMarks } from './read-marks.ts';
import { burySharedTrees, SHARED } from './shared-trees.ts';

/** What proves that a resource is gone. */
export interface Evidence {
  /** The listing that was read to its end without it. */
  readonly listing: string;
  readonly listed: number;
  /** The direct read and its status, and when it was deleted where the answer says so; null where the API has none, the parent's own answer being the proof. */
  readonly direct: { readonly request: string; readonly status: number; readonly deletedAt?: string } | null;
  /** The number of all of them that the parent gives, where it does. */
  readonly counted?: number;
  /** It is there, and the token may not see it any more: a person said that this is meant. */
  readonly accepted?: true;
}

/** Ends a resource and everything below it in the open snapshot. */
export function bury({ mirror, id: snapshot }: OpenSnapshot, gone: Pick<Held, 'rid'>, evidence: Evidence): number {
  let buried = 0;
  for (const row of [{ rid: gone.rid }, ...below(mirror, gone.rid)])
    buried += end({ mirror, id: snapshot }, row.rid, evidence);
  return buried;
}

function below(mirror: Mirror, rid: number): { rid: number }[] {
  return mirror.store
    .prepare<{ rid: number }>(
      `with recursive tree (rid) as (select rid from resources where scope = ? union select r.rid from resources r join tree t on r.scope = t.rid)
       select tree.rid from tree where exists (select 1 from versions v where v.rid = tree.rid and v.valid_to is null)`,
    )
    .all(rid);
}

/**
 * Ends the version that holds and says nothing of why: how the resource is from here on is not known until it is taken in again.
 * Answers its kind; undefined when nothing is held.
 */
export function lapse({ mirror, id: snapshot }: OpenSnapshot, rid: number): string | undefined {
  const { store } = mirror;
  const row = store
    .prepare<{ vid: number; valid_from: number; kind: string }>(
      'select v.vid, v.valid_from, r.kind from versions v join resources r on r.rid = v.rid where v.rid = ? and v.valid_to is null',
    )
    .get(rid);
  if (row?.valid_from === snapshot) store.prepare('delete from versions where vid = ?').run(row.vid);
  else if (row) store.prepare('update versions set valid_to = ? where vid = ?').run(snapshot, row.vid);
  return row?.kind;
}

function end(open: OpenSnapshot, rid: number, evidence: Evidence): number {
  const { mirror, id: snapshot } = open;
  const { store } = mirror;
  const wasTaken = isTakenIn(open, rid);
  const kind = lapse(open, rid);
  if (kind === undefined) return 0;
  store
    .prepare(
      'insert or replace into tombstones (rid, snapshot, first_missing, confirmed_at, evidence) values (?, ?, ?, ?, ?)',
    )
    .run(rid, snapshot, missingSince(mirror, rid) ?? snapshot, isoTime(mirror.clock.now()), JSON.stringify(evidence));
  for (const table of ['missing', 'unreachable', 'shrunk'])
    store.prepare(`delete from ${table} where rid = ?`).run(rid);
  // Should it come back, everything below it is read again.
  store.prepare('delete from reads where scope = ?').run(rid);
  store.prepare('delete from shortages where scope = ?').run(rid);
  const wasHeld = !wasTaken || wasThere(open, rid, kind);
  // It was counted as seen by this walk, and the snapshot will not show it. What is read beside another kind, as a document tree, counts as
  // a new one with each text.
  const isNew = !wasHeld || (isKindName(kind) && isBeside(kind));
  if (wasTaken && !isEverShared(kind)) countKind(open, kind, { seen: -1, [isNew ? 'added' : 'changed']: -1 });
  if (wasHeld) countKind(open, kind, { gone: 1 });
  burySharedTrees(open, rid);
  return 1;
}

/** True when what is held of a resource was taken in, and counted, in the open snapshot. */
function isTakenIn({ mirror, id: snapshot }: OpenSnapshot, rid: number): boolean {
  const sql = 'select 1 from versions where rid = ? and valid_to is null and valid_from = ?';
  return mirror.store.prepare(sql).get(rid, snapshot) !== undefined;
}

/** How many of a kind are no longer listed, or out of reach, and how a snapshot counts them. */
export interface UnsettledAbsences {
  readonly kind: string;
  readonly amount: number;
  readonly counted: 'missing' | 'unreachable';
}

/** How many of each kind are missing or unreachable now: nothing proves yet that they are gone. What is out of reach was missed first, and counts once. */
export function unsettledAbsences({ store }: Mirror): UnsettledAbsences[] {
  const sql = (table: string, condition: string): string =>
    `select r.kind, '${table}' as counted, count(*) as amount from ${table} t join resources r on r.rid = t.rid where ${condition} group by r.kind`;
  const missing = sql('missing', 'not exists (select 1 from unreachable u where u.rid = t.rid)');
  return store.prepare<UnsettledAbsences>(`${missing} union all ${sql('unreachable', 'true')}`).all();
}

/** True for a resource that the open snapshot has ended and not seen again since. */
export function isEnded({ mirror, id: snapshot }: OpenSnapshot, rid: number): boolean {
  return (
    mirror.store.prepare('select 1 from tombstones where rid = ? and snapshot = ?').get(rid, snapshot) !== undefined
  );
}

const UNREACHABLE = `insert into unreachable (rid, since, status, at) values (?, ?, ?, ?)
  on conflict (rid) do update set status = excluded.status`;

/** Notes that this token can no longer reach a resource, and what it was told last; its last version stays valid, and the next walk asks again. */
export function markUnreachable({ mirror, id: snapshot }: OpenSnapshot, missing: Held, status: number | null): void {
  mirror.store.prepare(UNREACHABLE).run(missing.rid, snapshot, status, isoTime(mirror.clock.now()));
  countKind({ mirror, id: snapshot }, missing.kind, { unreachable: 1 });
  distrustListing(mirror, missing.rid, missing.kind);
}

/**
 * The listing in which something stands is read again whatever its mark says: taken for unmoved, the next snapshot would be complete with
 * it. One that every walk reads needs no such note: it was read to its end, and is to be told as read.
 */
function distrustListing(mirror: Mirror, rid: number, kind: KindName): void {
  if (isReadEachNight(kind)) return;
  const found = mirror.store
    .prepare<{ scope: number }>('select scope from resources where rid = ? and scope is not null')
    .get(rid);
  if (found) clearReadMarks(mirror, found.scope, kind);
}

/** Notes the suspicion that a resource is gone, which its listing no longer has: the next walk confirms or drops it. */
export function markUnlisted(open: OpenSnapshot, { rid, kind }: Held): void {
  markMissing(open, rid);
  countKind(open, kind, { missing: 1 });
  distrustListing(open.mirror, rid, kind);
}

/** What the open snapshot has noted by `markUnlisted`, and is found to be gone after all. */
export function withdrawUnlisted(open: OpenSnapshot, { kind }: Pick<Held, 'kind'>): void {
  countKind(open, kind, { missing: -1 });
}

/** What proves that a resource is gone that holds no more; undefined for one that holds, or that somebody refuses. */
export function evidenceOf({ store }: Mirror, rid: number): Evidence | undefined {
  const sql = `select t.evidence from tombstones t where t.rid = ? and not exists (select 1 from versions v
    where v.rid = t.rid and v.valid_to is null) order by t.snapshot desc limit 1`;
  const found = store.prepare<{ evidence: string }>(sql).get(rid);
  return found && (readableJson(found.evidence) as Evidence | undefined);
}

/** Notes that a listing no longer has it, before anything is concluded from that. */
export function markMissing({ mirror, id: snapshot }: OpenSnapshot, rid: number): void {
  mirror.store.prepare('insert or ignore into missing (rid, first_missing) values (?, ?)').run(rid, snapshot);
}

/** The first snapshot of those in a row that did not find it; undefined while it is found. */
export function missingSince(mirror: Mirror, rid: number): number | undefined {
  return mirror.store.prepare<{ first_missing: number }>('select first_missing from missing where rid = ?').get(rid)
    ?.first_missing;
}

/** A field of what is held, `space.id`, and the text that it has. */
interface WithField {
  readonly kind: KindName;
  readonly field: string;
  readonly value: string;
}

/** Numbers of the resources of a kind with such a field that this snapshot is the first in a row not to find. */
export function newlyMissing({ mirror, id: snapshot }: OpenSnapshot, { kind, field, value }: WithField): number[] {
  const sql = `select r.rid from missing m join resources r on r.rid = m.rid and r.kind = @kind
    join versions v on v.rid = r.rid and v.valid_to is null join bodies b on b.bid = v.body
    where m.first_missing = @snapshot and ${jsonAtSql('b.data', '@path')} = @value order by r.key`;
  const rows = mirror.store.prepare<{ rid: number }>(sql).all({ kind, snapshot, path: `$.${field}`, value });
  return rows.map(({ rid }) => rid);
}

/** True when a snapshot lacked something for the first time, which only another listing confirms or drops. */
export function hasNewSuspicion(mirror: Mirror, snapshot: number): boolean {
  return mirror.store.prepare('select 1 from missing where first_missing = ? limit 1').get(snapshot) !== undefined;
}

/** Parameters of resources of a kind below a scope that have a text and, beside it, hold nothing of another kind: pages without a document tree. */
export function lackingBeside(
  mirror: Mirror,
  { scope, kind, beside }: { readonly scope: number; readonly kind: KindName; readonly beside: KindName },
): Params[] {
  return mirror.store
    .prepare<{ key: string }>(
      `select r.key from resources r join versions v on v.rid = r.rid and v.valid_to is null
       where r.scope = ? and r.kind = ? and v.text is not null and not exists (select 1 from resources d
         join versions dv on dv.rid = d.rid and dv.valid_to is null where d.kind = ? and d.key = r.key)`,
    )
    .all(scope, kind, beside)
    .map(({ key }) => paramsOf(kind, key));
}

/** Counts everything below a scope as unchanged: its mark proved that nothing moved. */
export function countUnchangedBelow(open: OpenSnapshot, scope: number, kind: KindName): void {
  countHeldBelow(open, { scope, kind, before: open.id + 1 }, 1);
}

/** Takes back the count of what is unchanged below a scope: it is about to be read once more in the same snapshot. */
export function uncountUnchangedBelow(open: OpenSnapshot, scope: number, kind: KindName): void {
  countHeldBelow(open, { scope, kind, before: open.id }, -1);
}

interface HeldBelow {
  readonly scope: number;
  readonly kind: KindName;
  /** Only versions of earlier snapshots than this. */
  readonly before: number;
}

const HELD_BELOW = `with recursive tree (rid, kind) as (select rid, kind from resources where scope = @scope and kind = @kind
  union select r.rid, r.kind from resources r join tree t on r.scope = t.rid),
shared (kind, amount, documents) as (select s.kind, s.amount, s.documents from tree join shared_trees s on s.rid = tree.rid
  and s.valid_to is null and s.valid_from < @before)
select tree.kind as kind, count(*) as n from tree
where exists (select 1 from versions v where v.rid = tree.rid and v.valid_to is null and v.valid_from < @before) group by tree.kind
${SHARED.map(({ kind, tree, number }) => `union all select '${kind}', sum(${number}) from shared where kind = '${tree}' having sum(${number}) > 0`).join('\n')}`;

function countHeldBelow({ mirror, id }: OpenSnapshot, held: HeldBelow, each: 1 | -1): void {
  const rows = mirror.store.prepare<{ kind: string; n: number }>(HELD_BELOW).all({ ...held });
  for (const row of rows) countKind({ mirror, id }, row.kind, { seen: each * row.n, unchanged: each * row.n });
}

/** How many resources of a kind hold now below a scope (null: anywhere). */
export function countBelow(mirror: Mirror, scope: number | null, kind: KindName): number {
  const condition = scope === null ? 'r.kind = ?' : 'r.kind = ? and r.scope = ?';
  const row = mirror.store
    .prepare<{ n: number }>(
      `select count(*) as n from resources r join versions v on v.rid = r.rid and v.valid_to is null where ${condition}`,
    )
    .get(...(scope === null ? [kind] : [kind, scope]));
  return row?.n ?? 0;
}

/** True when some resource of a kind holds now. */
export function isAnyHeld({ store }: Mirror, kind: KindName): boolean {
  const sql =
    'select 1 from resources r join versions v on v.rid = r.rid and v.valid_to is null where r.kind = ? limit 1';
  return store.prepare(sql).get(kind) !== undefined;
}
