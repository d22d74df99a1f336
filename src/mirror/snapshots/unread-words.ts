// What a snapshot could not read, in words.
import { count, groupBy, plural } from '../../base/index.ts';
import { isKindName, kindOf } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';
import { failedKeys, type FailedPlace } from '../observe/failures.ts';
import { outOfReach } from './lacking.ts';

interface Unread {
  readonly snapshot: number;
  readonly kind: string;
  /** Reads that failed. */
  readonly failed: number;
}

/** How many resources could not be read. A listing that failed, or visits that were given up, do not tell how many it would have been. */
export function unreadWords(mirror: Mirror, { snapshot, kind, failed }: Unread): string {
  const isOfMany = listingsUnread(mirror, snapshot, kind).length > 0;
  return isOfMany ? `not all ${plural(kind)} read` : `${count(failed, kind)} not read`;
}

/** Where a failure is not of one resource of the kind itself, but of all that are below what it names. */
function listingsUnread(mirror: Mirror, snapshot: number, kind: string): string[] {
  const parts = isKindName(kind) ? kindOf(kind).params.length : 1;
  return mirror.store
    .prepare<{ resource: string }>(
      `select distinct f.resource from requests_failed f where f.snapshot = ? and f.kind = ?
         and not exists (select 1 from resources r where r.kind = f.kind and r.key = f.resource)
         and (substr(f.resource, -1) = '*' or ? = 1 or length(f.resource) - length(replace(f.resource, '/', '')) <> ? - 1)`,
    )
    .all(snapshot, kind, parts, parts)
    .map(({ resource }) => resource);
}

/** Something that could not be read. */
export interface UnreadThing extends FailedPlace {
  /** All of the kind below what it names, however many these are, and will be. */
  readonly isListing: boolean;
}

/** By kind and key: what failed, then what is out of reach. */
export function unreadThings(mirror: Mirror, snapshot: number): UnreadThing[] {
  const unreached = outOfReach(mirror, snapshot).map(({ kind, resource }) => ({ kind, resource, isListing: false }));
  return [...failedThings(mirror, snapshot), ...unreached];
}

function failedThings(mirror: Mirror, snapshot: number): UnreadThing[] {
  return [...groupBy(failedKeys(mirror, snapshot), ({ kind }) => kind)].flatMap(([kind, places]) => {
    const listings = new Set(listingsUnread(mirror, snapshot, kind));
    return places.map((place) => ({ ...place, isListing: listings.has(place.resource) }));
  });
}
