// Drift: what bodies held that the contract does not know. It is kept with the bodies; here it is listed, so that a change of
// the platform is seen before it matters.
import { isoTime } from '../../base/index.ts';
import type { KindName, Unknown } from '../../contract/index.ts';
import type { Mirror, OpenSnapshot } from '../database/database.ts';
import type { DriftRow } from '../database/tables.ts';

/** Something that the contract does not know, with where and since when it is seen. */
export type Drift = Omit<DriftRow, 'kind'> & { readonly kind: string };

/** Rows kept of one kind: values that are texts of people, not words of the platform, do not fill the mirror. */
const MOST_ROWS = 200;
const LONGEST_VALUE = 100;

const AGAIN = 'update drift set times = times + 1 where kind = ? and path = ? and what = ? and value = ?';
const FIRST = `insert into drift (kind, path, what, value, first_seen, first_seen_at, times)
select ?, ?, ?, ?, ?, ?, 1 where (select count(*) from drift where kind = ?) < ${MOST_ROWS}`;

/** Counts what a body holds that the contract does not know; once for each version. Call inside a transaction. */
export function noteDrift({ mirror, id: snapshot }: OpenSnapshot, kind: KindName, unknowns: readonly Unknown[]): void {
  const seen = new Set<string>();
  for (const { path, what, value: whole } of unknowns) {
    const value = whole.slice(0, LONGEST_VALUE);
    const key = `${path}\n${what}\n${value}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (mirror.store.prepare(AGAIN).run(kind, path, what, value).changes > 0) continue;
    const at = isoTime(mirror.clock.now());
    mirror.store.prepare(FIRST).run(kind, path, what, value, snapshot, at, kind);
  }
}

/** What the platform was seen to send beyond the contract, the newest first. */
export function listDrift(mirror: Mirror): Drift[] {
  return mirror.store
    .prepare<Drift>(
      'select kind, path, what, value, first_seen, first_seen_at, times from drift order by first_seen desc, kind, path, value',
    )
    .all();
}
