// What a snapshot could not read and none before it had: an empty listing says nothing there. What was read before is carried on, be it
// that there was nothing, and may be shown; so only what is certain is told.
import type { KindName } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';
import { refusedIn } from '../observe/refused.ts';
import type { Resource } from './reader.ts';
import type { Snapshot } from '../snapshots/snapshots.ts';

/** Where things of a kind are listed. */
export interface UnreadPlace {
  readonly kind: KindName;
  readonly holder: { readonly kind: KindName; readonly key: string };
}

export interface UnreadIn {
  /** True when it could not read one thing, or did not come to what stands beside that. */
  readonly one: (kind: KindName, key: string) => boolean;
  /** True when it could not read the listing, nor any snapshot before it since what holds it is there. */
  readonly listing: (place: UnreadPlace) => boolean;
  /** True when it could not read something that stands in the listing. */
  readonly someIn: (place: UnreadPlace) => boolean;
}

/** True for a page of which its tree alone is known, since it could not be read: an empty one has no id of a text. */
export function isTextUnread({ kind, text, body }: Pick<Resource, 'kind' | 'text' | 'body'>): boolean {
  return kind === 'page' && text === null && typeof body['documentId'] === 'string';
}

/** What is known to be unread in a sealed snapshot; null when that is nothing. */
export function unreadIn(mirror: Mirror, { id: snapshot, state }: Pick<Snapshot, 'id' | 'state'>): UnreadIn | null {
  if (state === 'complete' && refusedIn(mirror, snapshot).length === 0) return null;
  const { store } = mirror;
  const some = (sql: string, values: Record<string, string | number>): boolean =>
    store.prepare<{ found: number }>(`select exists (${sql}) as found`).get({ snapshot, ...values })?.found === 1;
  return {
    one: (kind, key) => some(ONE, { kind, resource: key, beside: besideOf(key) }),
    listing: ({ kind, holder }) => {
      if (some(REFUSED, { kind, resource: holder.key })) return true;
      const first = store.prepare<{ first: number | null }>(FIRST).get({ ...holder, snapshot })?.first ?? null;
      if (first === null) return false;
      const values = { kind, resource: holder.key, first };
      return (
        some(EACH_NIGHT, values) || some(LEFT_OUT, { ...values, beside: besideOf(holder.key), holder: holder.kind })
      );
    },
    someIn: ({ kind, holder }) => some(SOME, { kind, from: `${holder.key}/`, to: `${holder.key}0` }),
  };
}

/** How a walk names what it did not come to, of all that stands beside something. */
function besideOf(key: string): string {
  return `${key.slice(0, Math.max(0, key.lastIndexOf('/')))}/*`;
}

const FAILED = 'select 1 from requests_failed f where f.kind = @kind';
const REFUSED = 'select 1 from refused f where f.snapshot = @snapshot and f.kind = @kind and f.resource = @resource';
const ONE = `${FAILED} and f.snapshot = @snapshot and f.resource in (@resource, @beside) union all ${REFUSED}`;
const SOME = `${FAILED} and f.snapshot = @snapshot and f.resource > @from and f.resource < @to`;

const FIRST = `select min(v.valid_from) as first from resources r join versions v on v.rid = r.rid
  where r.kind = @kind and r.key = @key and v.valid_from <= @snapshot`;

// What was forgotten may have read it, and so may one that has no failure of it. That before the first says that it is the first.
const ALL_KEPT = `(select count(*) from snapshots where id between max(@first - 1, 1) and @snapshot) = @snapshot - max(@first - 1, 1) + 1`;
const NIGHTS = '@snapshot - @first + 1';
const EACH_NIGHT = `select 1 where ${ALL_KEPT} and (select count(distinct f.snapshot) from requests_failed f
  where f.kind = @kind and f.resource = @resource and f.snapshot between @first and @snapshot) = ${NIGHTS}`;

// A walk that was told to end early notes what it did not come to as one, by what stands above. Which of them it had read before, their
// marks tell, be they taken back since: there is none, and it was not taken away by a refusal or by what was found there since.
const LEFT_OUT = `select 1 where ${ALL_KEPT} and (select count(distinct f.snapshot) from requests_failed f
    join snapshots s on s.id = f.snapshot and s.scope is null
    where f.kind = @kind and f.resource = @beside and f.snapshot between @first and @snapshot) = ${NIGHTS}
  and not exists (${FAILED} and f.resource = @resource)
  and not exists (select 1 from reads d join resources r on r.rid = d.scope
    where r.kind = @holder and r.key = @resource and d.kind = @kind)
  and not exists (select 1 from resources r where r.kind = @kind and r.key >= @resource and r.key < @resource || '0'
    and (r.key = @resource or substr(r.key, length(@resource) + 1, 1) = '/'))`;
