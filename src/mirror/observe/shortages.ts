// Listings that show fewer than their parents count or, of a collection, than other routes show. Asked for again they may show all;
// where they never do, the platform counts otherwise than it lists, and what was lacking then is not lacking from the mirror.
import { isoTime } from '../../base/index.ts';
import type { Mirror, OpenSnapshot } from '../database/database.ts';

export interface Shortage {
  /** How many fewer it shows than are counted. */
  readonly missing: number;
  /** When that was first found; it has not grown since. */
  readonly since: string;
}

export interface ListingPlace {
  readonly scope: number;
  /** Kind that it lists, with a word where it is about something else than what is lacking. */
  readonly kind: string;
}

/** How many a listing lacks of what its parent counts, and since when (ISO time); undefined when it lacks none. */
export function shortageOf({ store }: Mirror, { scope, kind }: ListingPlace): Shortage | undefined {
  return store.prepare<Shortage>('select missing, since from shortages where scope = ? and kind = ?').get(scope, kind);
}

/** Notes how many are lacking; one that has grown is a new one. */
export function noteShortage({ mirror, id: snapshot }: OpenSnapshot, place: ListingPlace, missing: number): void {
  const known = shortageOf(mirror, place);
  const now = isoTime(mirror.clock.now());
  // One that began at a time yet to come, by a clock that was wrong then, would not be believed until that time.
  const since = known !== undefined && missing <= known.missing && known.since <= now ? known.since : now;
  mirror.store
    .prepare('insert or replace into shortages (scope, kind, missing, snapshot, since) values (?, ?, ?, ?, ?)')
    .run(place.scope, place.kind, missing, snapshot, since);
}

export function clearShortage({ store }: Mirror, { scope, kind }: ListingPlace): void {
  store.prepare('delete from shortages where scope = ? and kind = ?').run(scope, kind);
}
