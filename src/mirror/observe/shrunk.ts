// What the caller may see less of than before. A loss of permission looks like a loss of data from outside, so nothing below
// such a resource is taken for gone, and no snapshot is complete, until the right is back or its loss was accepted.
import { isoTime, isRecord } from '../../base/index.ts';
import type { KindName } from '../../contract/index.ts';
import type { Mirror, OpenSnapshot } from '../database/database.ts';

type Body = Readonly<Record<string, unknown>>;

/** Kinds whose rights decide about what is shown below them. */
export const CONTAINERS: ReadonlySet<string> = new Set<KindName>(['organization', 'collection', 'space']);

/** Rights without which parts of a resource are no longer shown. */
const TELLING = ['view', 'access', 'admin'] as const;

/** Rights that were there before and are not now. */
export function lostRights(before: Body | undefined, now: Body): string[] {
  const had = before?.['permissions'];
  const has = now['permissions'];
  if (!isRecord(had) || !isRecord(has)) return [];
  return TELLING.filter((right) => had[right] === true && has[right] === false);
}

/** For what is damaged and no longer says which rights there were: whoever lacks one now may have lost it. */
export const ALL_RIGHTS: Body = { permissions: Object.fromEntries(TELLING.map((right) => [right, true])) };

/** Notes what was lost on a resource, or that all of it is back. Call inside a transaction. */
export function noteRights(open: OpenSnapshot, rid: number, seen: { lost: readonly string[]; now: Body }): void {
  const { store, clock } = open.mirror;
  const row = store.prepare<{ lost: string }>('select lost from shrunk where rid = ?').get(rid);
  const has = isRecord(seen.now['permissions']) ? seen.now['permissions'] : {};
  const still = (row?.lost.split(' ') ?? []).filter((right) => has[right] !== true);
  const lost = [...new Set([...still, ...seen.lost])];
  if (lost.length === 0) {
    if (row) store.prepare('delete from shrunk where rid = ?').run(rid);
    return;
  }
  store
    .prepare(
      'insert into shrunk (rid, since, lost, at) values (?, ?, ?, ?) on conflict (rid) do update set lost = excluded.lost',
    )
    .run(rid, open.id, lost.join(' '), isoTime(clock.now()));
}

export interface Shrunk {
  readonly kind: string;
  readonly key: string;
  readonly lost: readonly string[];
  /** The first snapshot without the rights. */
  readonly since: number;
}

/** Resources on which the caller has lost rights, and neither got them back nor accepted the loss. */
export function listShrunk(mirror: Mirror): Shrunk[] {
  return mirror.store
    .prepare<{ kind: string; key: string; lost: string; since: number }>(
      `select r.kind, r.key, s.lost, s.since from shrunk s join resources r on r.rid = s.rid
       join versions v on v.rid = s.rid and v.valid_to is null order by r.kind, r.key`,
    )
    .all()
    .map((row) => ({ ...row, lost: row.lost.split(' ') }));
}

/** Takes the rights as they are now for what they should be. */
export function acceptShrunk(mirror: Mirror): void {
  mirror.store.prepare('delete from shrunk').run();
}

const ABOVE = `with recursive up (rid, scope) as (select rid, scope from resources where rid = ?
  union select r.rid, r.scope from resources r join up on r.rid = up.scope)
select 1 from up join shrunk s on s.rid = up.rid limit 1`;
const COLLECTIONS = `select 1 from shrunk s join resources r on r.rid = s.rid and r.kind = 'collection' limit 1`;

/**
 * True when rights were lost on the resource or on one above it, so that its absence proves nothing. For a space any collection
 * counts: which one it stood in may no longer be told.
 */
export function isBelowShrunk(mirror: Mirror, rid: number, kind: string): boolean {
  if (mirror.store.prepare(ABOVE).get(rid) !== undefined) return true;
  return (kind === 'space' || kind === 'collection') && mirror.store.prepare(COLLECTIONS).get() !== undefined;
}
