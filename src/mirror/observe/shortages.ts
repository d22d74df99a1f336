// Listings that show fewer than their parents count or, of a collection, than other routes show. Asked for again they may show all;
// where they never do, the platform counts otherwise than it lists, and what was lacking then is not lacking from the mirror.
import { isoTime } from '../../base/index.ts';
import type { Mirror, OpenSnapshot } from '../database/database.ts';
import type { ListingPlace } from './read-marks.ts';

export interface Shortage {
  /** How many fewer it shows than are counted. */
  readonly missing: number;
  /** When that was first found; it has not grown since, but for what walks ended. */
  readonly since: string;
  /** The snapshot whose walk noted it last. */
  readonly snapshot: number;
}

/** How many a listing lacks of what its parent counts, and since when (ISO time); undefined when it lacks none. */
export function shortageOf({ store }: Mirror, { scope, kind }: ListingPlace): Shortage | undefined {
  return store
    .prepare<Shortage>('select missing, since, snapshot from shortages where scope = ? and kind = ?')
    .get(scope, kind);
}

/** Notes how many are lacking; one that has grown is a new one. */
export function noteShortage(snapshot: OpenSnapshot, place: ListingPlace, missing: number): void {
  const known = shortageOf(snapshot.mirror, place);
  const now = isoTime(snapshot.mirror.clock.now());
  // One that began at a time yet to come, by a clock that was wrong then, would not be believed until that time.
  const since = known !== undefined && missing <= known.missing && known.since <= now ? known.since : now;
  keepShortage(snapshot, place, { missing, since });
}

/** More that is lacking than is known of a listing. */
export interface Growth {
  readonly listing: ListingPlace;
  /** Where it is noted how many of them are lacking. */
  readonly place: ListingPlace;
  readonly missing: number;
  /** What is known since then, or longer, is known for how the platform counts (ISO time). */
  readonly longAgo: string;
}

/**
 * A platform may go on counting what was deleted. Where it has long been known to count more of a kind than it lists, what the open
 * snapshot has ended adds to that: else each night in which anything was deleted would lack something.
 */
export function explainShortage(open: OpenSnapshot, { listing, place, missing, longAgo }: Growth): void {
  const since = shortSince(open.mirror, place.kind);
  if (since === null || since > longAgo) return;
  const known = shortageOf(open.mirror, place);
  const before = known !== undefined && known.since <= longAgo ? known : { missing: 0, since, snapshot: 0 };
  // What it has ended is counted once, however often a listing is read in one walk.
  if (before.snapshot === open.id) return;
  if (missing <= before.missing || missing > before.missing + endedIn(open, listing)) return;
  keepShortage(open, place, { missing, since: before.since });
}

/** Since when any listing is known to lack some of that kind. */
function shortSince({ store }: Mirror, kind: string): string | null {
  const sql = 'select min(since) as since from shortages where kind = ?';
  return store.prepare<{ since: string | null }>(sql).get(kind)?.since ?? null;
}

/** How many of a listing the open snapshot has ended, and not seen again since. */
function endedIn({ mirror, id }: OpenSnapshot, { scope, kind }: ListingPlace): number {
  const sql =
    'select count(*) as n from resources r join tombstones t on t.rid = r.rid and t.snapshot = ? where r.scope = ? and r.kind = ?';
  return mirror.store.prepare<{ n: number }>(sql).get(id, scope, kind)?.n ?? 0;
}

function keepShortage(
  { mirror, id }: OpenSnapshot,
  { scope, kind }: ListingPlace,
  known: Omit<Shortage, 'snapshot'>,
): void {
  mirror.store
    .prepare('insert or replace into shortages (scope, kind, missing, snapshot, since) values (?, ?, ?, ?, ?)')
    .run(scope, kind, known.missing, id, known.since);
}

/** Numbers of all at which something of that kind of shortage is noted. */
export function scopesShort({ store }: Mirror, kind: string): number[] {
  const sql = 'select scope from shortages where kind = ?';
  return store
    .prepare<{ scope: number }>(sql)
    .all(kind)
    .map(({ scope }) => scope);
}

export function clearShortage({ store }: Mirror, { scope, kind }: ListingPlace): void {
  store.prepare('delete from shortages where scope = ? and kind = ?').run(scope, kind);
}
