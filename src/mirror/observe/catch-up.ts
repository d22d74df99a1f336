// Work that a walk does at its end for everything that changed since it was last done, and up to which snapshot it was.
import type { Mirror, OpenSnapshot } from '../database/database.ts';
import { factOf, setFact, type Fact } from '../database/meta.ts';

/**
 * Document trees of change requests, beside pages of their space that moved; pages that are computed, of specifications that moved;
 * links into other spaces, to what went or came back.
 */
export type CatchUp = Extract<Fact, 'request_trees' | 'computed_pages' | 'links_across'>;

/** Number of the last snapshot up to which it was done; undefined when it never was. */
export function caughtUpTo(mirror: Mirror, what: CatchUp): number | undefined {
  const value = factOf(mirror, what);
  return value === undefined ? undefined : Number(value);
}

/** Notes that it was done up to the open snapshot. */
export function noteCaughtUp({ mirror, id }: OpenSnapshot, what: CatchUp): void {
  setFact(mirror, what, String(id));
}
