// What walks settle once for all that has changed, and up to which snapshot they have.
import type { Mirror, OpenSnapshot } from '../database/database.ts';

/** Document trees of change requests, beside pages of their space that moved; pages that are computed, of specifications that moved. */
export type Settled = 'request_trees' | 'computed_pages';

/** The last snapshot up to which it was settled; undefined when it never was. */
export function settledUpTo(mirror: Mirror, what: Settled): number | undefined {
  const row = mirror.store.prepare<{ value: string }>('select value from meta where name = ?').get(what);
  return row && Number(row.value);
}

export function noteSettled({ mirror, id }: OpenSnapshot, what: Settled): void {
  mirror.store.run(mirror.store.sql.replaceInto('meta').values({ name: what, value: String(id) }));
}
