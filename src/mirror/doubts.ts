// What a walk has taken in although two answers about it do not agree. Its mark says so until an answer settles it, so it is read
// again whenever somebody comes by, and what it belongs to is not taken for read.
import type { Mirror } from './database.ts';
import { remark } from './observe.ts';

/**
 * `whole`: it is of another time than what leads to it, or that lacks it. `part`: only its name or place is another, which some
 * platforms may show otherwise here and there.
 */
export type Doubt = 'whole' | 'part';

const SIGNS = { whole: '?', part: '~' } as const;

/** The mark of what is doubted. */
export function doubtedMark(doubt: Doubt, mark: string): string {
  return SIGNS[doubt] + mark;
}

/** Doubts what is held already. */
export function doubtHeld(mirror: Mirror, rid: number): void {
  remark(mirror, rid, doubtedMark('whole', ''));
}

/** True when a doubted mark is the one that is told of now: then nothing is in doubt any more. */
export function settlesDoubt(held: string | null, mark: string): boolean {
  return held !== null && Object.values(SIGNS).some((sign) => held === sign + mark);
}

/** The graver doubt about what stands directly below a resource and is held; null when there is none. */
export function doubtBelow(mirror: Mirror, scope: number): Doubt | null {
  const sql = `select 1 from resources r join versions v on v.rid = r.rid and v.valid_to is null
    where r.scope = ? and substr(r.mark, 1, 1) = ? limit 1`;
  const has = (doubt: Doubt): boolean => mirror.store.prepare(sql).get(scope, SIGNS[doubt]) !== undefined;
  if (has('whole')) return 'whole';
  return has('part') ? 'part' : null;
}
