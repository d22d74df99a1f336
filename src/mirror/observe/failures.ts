// What a snapshot could not read: requests that failed, and operations that the platform does not offer.
import { isoTime } from '../../base/index.ts';
import type { KindName } from '../../contract/index.ts';
import { isReadSql } from './read-marks.ts';
import { countKind } from './counts.ts';
import type { Mirror, OpenSnapshot } from '../database/database.ts';
import { SEALED } from '../snapshots/sealed-states.ts';

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
  readonly request: string;
  readonly code: string;
  readonly status: number | null;
}

/** What the open snapshot could not read of a resource and of all below it. @param prefix Its key. */
export function failedBelow(
  { mirror, id: snapshot }: OpenSnapshot,
  kinds: readonly string[],
  prefix: string,
): FailedBelow[] {
  return mirror.store
    .prepare<FailedBelow>(FAILED_BELOW)
    .all({ snapshot, prefix })
    .filter((row) => kinds.includes(row.kind));
}

const FAILED = 'select id, kind, resource, request, code, status from requests_failed where snapshot = @snapshot';
// What begins with a key and a slash stands before the key with a zero, the character behind the slash.
const FAILED_BELOW = `${FAILED} and resource = @prefix
  union all ${FAILED} and resource >= @prefix || '/' and resource < @prefix || '0' order by id`;

/** What the open snapshot could not read of a kind, wherever it stands. */
export function failedOf({ mirror, id: snapshot }: OpenSnapshot, kind: KindName): FailedBelow[] {
  return mirror.store
    .prepare<FailedBelow>(
      'select id, kind, resource, request, code, status from requests_failed where snapshot = ? and kind = ?',
    )
    .all(snapshot, kind);
}

/** Takes failures back: what could not be read is about to be asked for anew, or is no more among what is there. */
export function withdrawFailures({ mirror, id: snapshot }: OpenSnapshot, failures: readonly FailedBelow[]): void {
  const remove = mirror.store.prepare('delete from requests_failed where id = ?');
  for (const { id, kind } of failures) {
    remove.run(id);
    countKind({ mirror, id: snapshot }, kind, { failed: -1 });
  }
}

/** The requests that failed in a snapshot, in their order. */
export function failuresOf(mirror: Mirror, snapshot: number): Failure[] {
  return mirror.store
    .prepare<Failure>(
      'select kind, resource, request, status, code, error from requests_failed where snapshot = ? order by id',
    )
    .all(snapshot);
}

/** Some of the requests that failed in a snapshot, by what could not be read; costs what it gives, however many failed. */
export function someFailures(mirror: Mirror, snapshot: number, most: number): Failure[] {
  return mirror.store
    .prepare<Failure>(
      'select kind, resource, request, status, code, error from requests_failed where snapshot = ? order by resource, id limit ?',
    )
    .all(snapshot, most);
}

export type FailedPlace = Pick<Failure, 'kind' | 'resource'>;

/** Where a snapshot failed: kind and key of each thing that it could not read. */
export function failedKeys(mirror: Mirror, snapshot: number): FailedPlace[] {
  return mirror.store
    .prepare<FailedPlace>(
      'select distinct kind, resource from requests_failed where snapshot = ? order by kind, resource',
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

/** Takes back that a kind is not offered. */
export function withdrawNotOffered({ mirror, id: snapshot }: OpenSnapshot, kind: KindName): void {
  mirror.store.prepare('delete from not_offered where snapshot = ? and kind = ?').run(snapshot, kind);
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

/** SQL for the numbers of the snapshots in which something of a kind could not be read: it failed, is refused or not offered. */
export function unreadInSql(kind: KindName): string {
  const tables = ['refused', 'failures', 'not_offered'];
  return tables.map((table) => `select snapshot from ${table} where kind = '${kind}'`).join(' union ');
}

/** Kinds that the platform does not offer, with the answer that said so; by kind. */
export function notOfferedIn(mirror: Mirror, snapshot: number): { kind: string; request: string; status: number }[] {
  return mirror.store
    .prepare<{ kind: string; request: string; status: number }>(
      'select kind, request, status from not_offered where snapshot = ? order by kind',
    )
    .all(snapshot);
}
