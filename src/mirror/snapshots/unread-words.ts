// What a snapshot could not read, in words.
import { count, plural } from '../../base/index.ts';
import { isKindName, kindOf } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';

interface Unread {
  readonly snapshot: number;
  readonly kind: string;
  /** Reads that failed. */
  readonly failed: number;
}

/** How many resources could not be read. A listing that failed, or visits that were given up, do not tell how many it would have been. */
export function unreadWords(mirror: Mirror, { snapshot, kind, failed }: Unread): string {
  const isOfMany = failuresOfMany(mirror, snapshot, kind) > 0;
  return isOfMany ? `not all ${plural(kind)} read` : `${count(failed, kind)} not read`;
}

/** Failures whose resource is not one of the kind itself, but what stands above those that were to be read. */
function failuresOfMany(mirror: Mirror, snapshot: number, kind: string): number {
  const parts = isKindName(kind) ? kindOf(kind).params.length : 1;
  const row = mirror.store
    .prepare<{ n: number }>(
      `select count(*) as n from requests_failed f where f.snapshot = ? and f.kind = ?
         and not exists (select 1 from resources r where r.kind = f.kind and r.key = f.resource)
         and (substr(f.resource, -1) = '*' or ? = 1 or length(f.resource) - length(replace(f.resource, '/', '')) <> ? - 1)`,
    )
    .get(snapshot, kind, parts, parts);
  return row?.n ?? 0;
}
