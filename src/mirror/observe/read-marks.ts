// Up to which mark each listing was read through, and whether something below it is not settled.
import { isoTime } from '../../base/index.ts';
import { isKindName, isReadEachNight } from '../../contract/index.ts';
import type { Mirror, OpenSnapshot } from '../database/database.ts';

export interface ReadMark {
  readonly mark: string;
  /** The snapshot that last read it through. */
  readonly snapshot: number;
}

// No mark of a parent is like it. The row stays: when the listing was last read to its end is proof of that time.
const TO_READ_AGAIN = 'to read again';

/** SQL for a row of `reads`: nothing of it has to be read again. */
export function isReadSql(row: string): string {
  return `${row}.mark <> '${TO_READ_AGAIN}'`;
}

/** The mark of the last full read of a kind below a scope; undefined where it is to be read again. */
export function readMark(mirror: Mirror, scope: number, kind: string): ReadMark | undefined {
  return mirror.store
    .prepare<ReadMark>(`select mark, snapshot from reads where scope = ? and kind = ? and ${isReadSql('reads')}`)
    .get(scope, kind);
}

/** Sets the mark; in the same transaction as the rows it covers. */
export function setReadMark(
  { mirror, id: snapshot }: OpenSnapshot,
  entry: { scope: number; kind: string; mark: string },
): void {
  mirror.store.prepare(SET_MARK).run({ ...entry, snapshot, at: isoTime(mirror.clock.now()) });
}

/** Numbers of the scopes below which a snapshot was the last to read a kind through. */
export function scopesRead({ mirror, id: snapshot }: OpenSnapshot, kind: string): number[] {
  return mirror.store
    .prepare<{ scope: number }>(`select scope from reads where kind = ? and snapshot = ? and ${isReadSql('reads')}`)
    .all(kind, snapshot)
    .map(({ scope }) => scope);
}

const STANDING = `select d.scope, d.kind from reads d join resources p on p.rid = d.scope where d.snapshot <> @snapshot and ${isReadSql('d')}
  and (exists (select 1 from routes t where t.rid = p.rid and t.snapshot = @snapshot)
    or exists (select 1 from reads u where u.scope = p.scope and u.kind = p.kind and u.snapshot = @snapshot))`;

/** Listings below what the open snapshot was shown, by a route or in a listing, that it has not read itself. */
export function listingsStanding({ mirror, id: snapshot }: OpenSnapshot): ListingPlace[] {
  return mirror.store.prepare<ListingPlace>(STANDING).all({ snapshot });
}

// What this snapshot has ended keeps none: should it come back, everything below it is read again.
const SET_MARK = `insert or replace into reads (scope, kind, mark, snapshot, at) select @scope, @kind, @mark, @snapshot, @at
  where not exists (select 1 from tombstones where rid = @scope and snapshot = @snapshot)`;

/** A listing, or what a note of a walk is about. */
export interface ListingPlace {
  /** Number of the resource below which it stands. */
  readonly scope: number;
  /** Kind that it lists, with a word where a note is about something else. */
  readonly kind: string;
}

/**
 * Takes back the mark of a kind below a scope and those of every listing on the way there, so that the next walk comes to it
 * again: a mark further up, unmoved, would keep it from being visited. One that every walk reads keeps nothing from it.
 */
export function clearReadMarks(mirror: Mirror, scope: number, kind: string): void {
  const clear = mirror.store.prepare('update reads set mark = ? where scope = ? and kind = ?');
  for (const [at, place] of wayTo(mirror, { scope, kind }).entries())
    if (at === 0 || !isReadAnyway(place.kind)) clear.run(TO_READ_AGAIN, place.scope, place.kind);
}

function isReadAnyway(kind: string): boolean {
  return isKindName(kind) && isReadEachNight(kind);
}

/** A listing, and every one that leads to it. */
export function wayTo({ store }: Mirror, place: ListingPlace): ListingPlace[] {
  const above = store.prepare<{ kind: string; scope: number | null }>(
    'select kind, scope from resources where rid = ?',
  );
  const way = [place];
  for (const { scope } of way) {
    const holder = above.get(scope);
    if (holder !== undefined && holder.scope !== null) way.push({ scope: holder.scope, kind: holder.kind });
  }
  return way;
}

/**
 * The same for the listing that shows a resource. Where only the space is known in which something stands, for all of that kind there.
 */
export function clearMarksOf(mirror: Mirror, { kind, key }: { readonly kind: string; readonly key: string }): void {
  const own = mirror.store
    .prepare<{ scope: number | null }>('select scope from resources where kind = ? and key = ?')
    .get(kind, key);
  const space = mirror.store
    .prepare<{ scope: number }>(`select rid as scope from resources where kind = 'space' and key = ?`)
    .get(key.split('/')[0]);
  const scope = (own ?? space)?.scope ?? null;
  if (scope !== null) clearReadMarks(mirror, scope, kind);
}

/** True when the absence of something below a scope is not settled: not asked yet, or out of reach. */
export function isUnsettledBelow(mirror: Mirror, scope: number): boolean {
  const sql = `select 1 from resources r where r.scope = ? and (exists (select 1 from missing m where m.rid = r.rid)
    or exists (select 1 from unreachable u where u.rid = r.rid)) limit 1`;
  return mirror.store.prepare(sql).get(scope) !== undefined;
}
