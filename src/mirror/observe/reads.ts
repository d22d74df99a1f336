// What is known about reads: the mark up to which a scope was read, by which routes a space was found, what failed.
import { isoTime } from '../../base/index.ts';
import type { KindName } from '../../contract/index.ts';
import { countKind } from './counts.ts';
import type { Mirror, OpenSnapshot } from '../database/database.ts';
import { paramsOf } from './key.ts';
import { jsonSql } from '../bodies/stored-json.ts';
import { SEALED } from '../snapshots/sealed-states.ts';

export interface ReadMark {
  readonly mark: string;
  /** The snapshot that last read it through. */
  readonly snapshot: number;
}

// No mark of a parent is like it. The row stays: when the listing was last read to its end is proof of that time.
const TO_READ_AGAIN = 'to read again';

/** SQL for a row of `reads`: nothing of it has to be read again. */
export function isReadSql(row: string): string {
  return `${row}.mark <> '${TO_READ_AGAIN}'`;
}

/** The mark of the last full read of a kind below a scope; undefined where it is to be read again. */
export function readMark(mirror: Mirror, scope: number, kind: string): ReadMark | undefined {
  return mirror.store
    .prepare<ReadMark>(`select mark, snapshot from reads where scope = ? and kind = ? and ${isReadSql('reads')}`)
    .get(scope, kind);
}

/** Sets the mark; in the same transaction as the rows it covers. */
export function setReadMark(
  { mirror, id: snapshot }: OpenSnapshot,
  entry: { scope: number; kind: string; mark: string },
): void {
  mirror.store.prepare(SET_MARK).run({ ...entry, snapshot, at: isoTime(mirror.clock.now()) });
}

// What this snapshot has ended keeps none: should it come back, everything below it is read again.
const SET_MARK = `insert or replace into reads (scope, kind, mark, snapshot, at) select @scope, @kind, @mark, @snapshot, @at
  where not exists (select 1 from tombstones where rid = @scope and snapshot = @snapshot)`;

/**
 * Takes back the mark of a kind below a scope and those of every listing on the way there, so that the next walk comes to it
 * again: a mark further up, unmoved, would keep it from being visited.
 */
export function clearReadMarks(mirror: Mirror, scope: number, kind: string): void {
  mirror.store.prepare('update reads set mark = ? where scope = ? and kind = ?').run(TO_READ_AGAIN, scope, kind);
  const above = mirror.store
    .prepare<{ kind: string; scope: number | null }>('select kind, scope from resources where rid = ?')
    .get(scope);
  if (above && above.scope !== null) clearReadMarks(mirror, above.scope, above.kind);
}

/** True when the absence of something below a scope is not settled: not asked yet, or out of reach. */
export function isUnsettledBelow(mirror: Mirror, scope: number): boolean {
  const sql = `select 1 from resources r where r.scope = ? and (exists (select 1 from missing m where m.rid = r.rid)
    or exists (select 1 from unreachable u where u.rid = r.rid)) limit 1`;
  return mirror.store.prepare(sql).get(scope) !== undefined;
}

/** Notes by which route a space was found in this snapshot. */
export function noteRoute({ mirror, id: snapshot }: OpenSnapshot, rid: number, route: string): void {
  mirror.store
    .prepare('insert or replace into routes (rid, route, snapshot) values (?, ?, ?)')
    .run(rid, route, snapshot);
}

/** True when a space was already taken in by some route of this snapshot. */
export function wasRouted({ mirror, id: snapshot }: OpenSnapshot, rid: number): boolean {
  return (
    mirror.store.prepare('select 1 from routes where rid = ? and snapshot = ? limit 1').get(rid, snapshot) !== undefined
  );
}

/**
 * True when a collection holds spaces and a member's listing has shown each of them in the last snapshot of everything, or since.
 * What only the collection itself has shown is not; and of an empty one nobody knows what members would show of it.
 */
export function isShownByMember(mirror: Mirror, collection: string): boolean {
  const sql = `select count(*) as held, coalesce(sum(exists (select 1 from routes t
      where t.rid = r.rid and t.route = 'space-member' and t.snapshot >= (select max(id) from snapshots
        where state in ${SEALED} and scope is null))), 0) as shown
    from resources r join versions v on v.rid = r.rid and v.valid_to is null join bodies b on b.bid = v.body
    where r.kind = 'space' and ${jsonSql('b.data', '$.parent')} = ?`;
  const found = mirror.store.prepare<{ held: number; shown: number }>(sql).get(collection);
  return found !== undefined && found.held > 0 && found.held === found.shown;
}

/** Spaces of an organization that hold now but were found by no route in this snapshot. */
export function unroutedSpaces({ mirror, id: snapshot }: OpenSnapshot, organization: number): Set<number> {
  const rows = mirror.store
    .prepare<{ rid: number }>(
      `select r.rid from resources r join versions v on v.rid = r.rid and v.valid_to is null
       where r.kind = 'space' and r.scope = ? and not exists (select 1 from routes t where t.rid = r.rid and t.snapshot = ?)`,
    )
    .all(organization, snapshot);
  return new Set(rows.map((row) => row.rid));
}

export interface Failure {
  readonly kind: string;
  /** What could not be read. */
  readonly resource: string;
  readonly request: string;
  readonly status: number | null;
  readonly code: string;
  readonly error: string;
}

/** Records what could not be read; the snapshot cannot be complete after that. */
export function noteFailure({ mirror, id: snapshot }: OpenSnapshot, failure: Failure): void {
  mirror.store
    .prepare(
      'insert into requests_failed (snapshot, kind, resource, request, status, code, error, at) values (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    .run(
      snapshot,
      failure.kind,
      failure.resource,
      failure.request,
      failure.status,
      failure.code,
      failure.error,
      isoTime(mirror.clock.now()),
    );
  countKind({ mirror, id: snapshot }, failure.kind, { failed: 1 });
}

/** What could not be read in this snapshot at a key or below it. */
export interface FailedBelow {
  readonly id: number;
  readonly kind: string;
  /** Its key. */
  readonly resource: string;
  readonly code: string;
  readonly status: number | null;
}

export function failedBelow(
  { mirror, id: snapshot }: OpenSnapshot,
  kinds: readonly string[],
  prefix: string,
): FailedBelow[] {
  return mirror.store
    .prepare<FailedBelow>(
      'select id, kind, resource, code, status from requests_failed where snapshot = ? and (resource = ? or substr(resource, 1, ?) = ?)',
    )
    .all(snapshot, prefix, prefix.length + 1, `${prefix}/`)
    .filter((row) => kinds.includes(row.kind));
}

/** Takes failures back: what could not be read is about to be asked for anew, or is no more among what is there. */
export function withdrawFailures({ mirror, id: snapshot }: OpenSnapshot, failures: readonly FailedBelow[]): void {
  const remove = mirror.store.prepare('delete from requests_failed where id = ?');
  for (const { id, kind } of failures) {
    remove.run(id);
    countKind({ mirror, id: snapshot }, kind, { failed: -1 });
  }
}

export function failuresOf(mirror: Mirror, snapshot: number): Failure[] {
  return mirror.store
    .prepare<Failure>(
      'select kind, resource, request, status, code, error from requests_failed where snapshot = ? order by id',
    )
    .all(snapshot);
}

/** Notes that the platform does not offer an operation at all (501, 405); nothing of that kind was ever read. */
export function noteNotOffered(
  { mirror, id: snapshot }: OpenSnapshot,
  entry: { kind: string; request: string; status: number },
): void {
  mirror.store
    .prepare('insert or ignore into not_offered (snapshot, kind, request, status) values (?, ?, ?, ?)')
    .run(snapshot, entry.kind, entry.request, entry.status);
}

/** What the last snapshot said is not offered and nobody has had an answer about since: it still is not. */
export function carryNotOffered({ mirror, id: snapshot }: OpenSnapshot): void {
  const sql = `insert or ignore into not_offered (snapshot, kind, request, status)
    select @snapshot, n.kind, n.request, n.status from not_offered n
    where n.snapshot = (select max(id) from snapshots where id < @snapshot and state in ${SEALED})
      and not exists (select 1 from reads d where d.kind = n.kind and d.snapshot = @snapshot and ${isReadSql('d')})
      and not exists (select 1 from resources r join versions v on v.rid = r.rid and v.valid_to is null where r.kind = n.kind)`;
  mirror.store.prepare(sql).run({ snapshot });
}

export function notOfferedIn(mirror: Mirror, snapshot: number): { kind: string; request: string; status: number }[] {
  return mirror.store
    .prepare<{ kind: string; request: string; status: number }>(
      'select kind, request, status from not_offered where snapshot = ? order by kind',
    )
    .all(snapshot);
}

export interface Held {
  readonly rid: number;
  readonly key: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Every resource of a kind that holds now. */
export function heldOf(mirror: Mirror, kind: KindName): Held[] {
  return mirror.store
    .prepare<{ rid: number; key: string }>(
      'select r.rid, r.key from resources r join versions v on v.rid = r.rid and v.valid_to is null where r.kind = ? order by r.key',
    )
    .all(kind)
    .map((row) => ({ ...row, params: paramsOf(kind, row.key) }));
}

/** Where a snapshot failed: kind and key of each thing that it could not read. */
export function failedKeys(mirror: Mirror, snapshot: number): { kind: string; resource: string }[] {
  return mirror.store
    .prepare<{ kind: string; resource: string }>(
      'select distinct kind, resource from requests_failed where snapshot = ? order by kind, resource',
    )
    .all(snapshot);
}

/** What tells this mirror from every other one, also from one of the same platform; a copy of it has the same. */
export function mirrorIdentity(mirror: Mirror): string {
  return mirror.store.prepare<{ value: string }>(`select value from meta where name = 'mirror'`).get()?.value ?? '';
}
