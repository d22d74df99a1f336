// Counts of a snapshot by kind. Its state is computed from these and from nothing else.
import { isBeside, kindNames } from '../../contract/index.ts';
import type { Mirror, OpenSnapshot } from '../database/database.ts';
import { wordsSql } from '../database/words-sql.ts';

export interface KindCounts {
  readonly seen: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly gone: number;
  readonly failed: number;
  /** Out of reach: the token may no longer see them. */
  readonly unreachable: number;
  /** No longer listed, with nothing that proves or denies that they are gone. */
  readonly missing: number;
}

const UPSERT = `insert into snapshot_kinds (snapshot, kind, seen, added, changed, unchanged, gone, failed, unreachable, missing)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (snapshot, kind) do update set seen = seen + excluded.seen, added = added + excluded.added,
  changed = changed + excluded.changed, unchanged = unchanged + excluded.unchanged, gone = gone + excluded.gone,
  failed = failed + excluded.failed, unreachable = unreachable + excluded.unreachable,
  missing = missing + excluded.missing`;

/** Adds to the counts of a kind in a snapshot; in the same transaction as what is counted. */
export function countKind({ mirror, id: snapshot }: OpenSnapshot, kind: string, add: Partial<KindCounts>): void {
  mirror.store
    .prepare(UPSERT)
    .run(
      snapshot,
      kind,
      add.seen ?? 0,
      add.added ?? 0,
      add.changed ?? 0,
      add.unchanged ?? 0,
      add.gone ?? 0,
      add.failed ?? 0,
      add.unreachable ?? 0,
      add.missing ?? 0,
    );
}

const REPLACED = `select r.kind, count(*) as replaced, k.added, k.changed from versions v
  join resources r on r.rid = v.rid and r.kind in (${wordsSql(kindNames.filter(isBeside))})
  join snapshot_kinds k on k.snapshot = v.valid_from and k.kind = r.kind
  where v.valid_from = ? and exists (select 1 from versions b where b.rid = v.rid and b.valid_to = v.valid_from) group by r.kind`;

/**
 * What is read beside another, as a document tree, ends as soon as that moves on, and is taken in as a new one: where one took the place
 * of one, it counts as changed. Once, before the counts of a snapshot are sealed; costs what began in it.
 */
export function countReplaced(open: OpenSnapshot): void {
  const rows = open.mirror.store
    .prepare<{ kind: string; replaced: number; added: number; changed: number }>(REPLACED)
    .all(open.id);
  for (const { kind, replaced, added, changed } of rows) {
    const more = Math.min(replaced - changed, added);
    if (more > 0) countKind(open, kind, { added: -more, changed: more });
  }
}

/** Counts of a snapshot by kind, only kinds that occur. */
export function countsOf(mirror: Mirror, snapshot: number): Record<string, KindCounts> {
  // Every column: a mirror that only readers have opened since this program came may lack the newest one.
  const rows = mirror.store
    .prepare<Omit<KindCounts, 'missing'> & { snapshot: number; kind: string; missing?: number }>(
      'select * from snapshot_kinds where snapshot = ? order by kind',
    )
    .all(snapshot);
  return Object.fromEntries(
    rows.map(({ snapshot: _snapshot, kind, missing = 0, ...counts }) => [kind, { ...counts, missing }]),
  );
}

/** How many of a kind have a text and began in a snapshot. Costs what began in it. */
export function countTexts(mirror: Mirror, snapshot: number, kind: string): number {
  const row = mirror.store
    .prepare<{ amount: number }>(
      'select count(*) as amount from versions v join resources r on r.rid = v.rid where v.valid_from = ? and v.text is not null and r.kind = ?',
    )
    .get(snapshot, kind);
  return row?.amount ?? 0;
}

/** How many of a kind began in a snapshot, as resources of their own. Costs what began in it. */
export function countBegun(mirror: Mirror, snapshot: number, kind: string): number {
  const sql =
    'select count(*) as amount from versions v join resources r on r.rid = v.rid where v.valid_from = ? and r.kind = ?';
  return mirror.store.prepare<{ amount: number }>(sql).get(snapshot, kind)?.amount ?? 0;
}

/** Numbers of what was held of a kind and changed in a snapshot. Costs what began in it. */
export function changedIn(mirror: Mirror, snapshot: number, kind: string): number[] {
  const sql = `select v.rid from versions v join resources r on r.rid = v.rid where v.valid_from = ? and r.kind = ?
    and exists (select 1 from versions b where b.rid = v.rid and b.valid_to = v.valid_from)`;
  return mirror.store
    .prepare<{ rid: number }>(sql)
    .all(snapshot, kind)
    .map(({ rid }) => rid);
}

/** Below which resources something of a kind began in a snapshot. Costs what began in it. */
export function scopesBegun(mirror: Mirror, snapshot: number, kind: string): number[] {
  const sql = `select distinct r.scope from versions v join resources r on r.rid = v.rid
    where v.valid_from = ? and r.kind = ? and r.scope is not null`;
  return mirror.store
    .prepare<{ scope: number }>(sql)
    .all(snapshot, kind)
    .map(({ scope }) => scope);
}

/** How many document trees of change requests a snapshot has read, not counting those taken over from their spaces. */
export function countReadTrees(mirror: Mirror, snapshot: number): number {
  const sql = `select count(*) as amount from versions v join resources r on r.rid = v.rid and r.kind = 'change-request-page-document'
    where v.valid_from = ? and not exists (select 1 from resources m join versions mv on mv.rid = m.rid
      where m.kind = 'page-document' and m.key = r.space || '/' || r.id and mv.body = v.body)`;
  return mirror.store.prepare<{ amount: number }>(sql).get(snapshot)?.amount ?? 0;
}
