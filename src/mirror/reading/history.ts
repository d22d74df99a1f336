// When one resource changed.
import type { KindName } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';
import { SEALED } from '../snapshots/sealed-states.ts';

/** A state of a resource: the sealed snapshot that shows it first, and the first one that no longer does. */
export interface Era {
  readonly from: number;
  /** Null while it holds. */
  readonly to: number | null;
  /** Time when the walk of `from` began. */
  readonly at: string;
}

// A walk that was given up leaves what it saw; the next sealed snapshot is the first to show it.
const SHOWN_FROM = (edge: string): string => `(select min(s.id) from snapshots s where s.id >= ${edge}
  and s.state in ${SEALED})`;

/** The versions of a resource that sealed snapshots show, newest first. */
export function erasOf(mirror: Mirror, kind: KindName, key: string): Era[] {
  return mirror.store
    .prepare<Era>(
      `select e."from", e."to", s.started_at as at from (
         select ${SHOWN_FROM('v.valid_from')} as "from", ${SHOWN_FROM('v.valid_to')} as "to"
         from resources r join versions v on v.rid = r.rid where r.kind = ? and r.key = ?) e
       join snapshots s on s.id = e."from" where e."to" is null or e."to" > e."from" order by e."from" desc`,
    )
    .all(kind, key);
}
