// What the platform refuses to the token (403; 402 for what a higher plan is needed for; 404 for a listing that was never read), and a
// person accepted that it does. A snapshot names it, and is complete without it. A refusal that nobody accepted is a failure.
import { groupBy } from '../../base/index.ts';
import { isKindName, kindNames, kindOf, type KindName } from '../../contract/index.ts';
import type { Mirror, OpenSnapshot } from '../database/database.ts';
import { wordsSql } from '../database/words-sql.ts';
import { isReadSql } from './read-marks.ts';
import { SEALED } from '../snapshots/sealed-states.ts';

const FORBIDDEN = 403;
const NOT_PAID = 402;
const NOT_FOUND: readonly number[] = [404, 410];

/** True for a status by which the token is refused something. */
export function isRefusedStatus(status: number | null): boolean {
  return status === FORBIDDEN || status === NOT_PAID;
}

/** True for a status by which a listing is not there, in whatever form that is said. */
export function isNotFoundStatus(status: number | null): boolean {
  return status !== null && NOT_FOUND.includes(status);
}

/** Where the token is refused. */
export interface RefusedPlace {
  readonly kind: string;
  /** Key of the resource, or of the one whose children were asked for. */
  readonly resource: string;
  /** The resource below which it was; null where there is none. */
  readonly scope: number | null;
}

/** What a snapshot lacks, since the token may not read it. */
export interface Refusal {
  readonly kind: string;
  readonly resource: string;
  /** Method and target. */
  readonly request: string;
  readonly status: number;
}

/** Names what is refused in the open snapshot. It is asked for again whenever the walk comes by. */
export function noteRefused({ mirror, id: snapshot }: OpenSnapshot, refusal: Refusal & RefusedPlace): void {
  const { kind, resource, scope, request, status } = refusal;
  mirror.store
    .prepare(
      'insert or replace into refused (snapshot, kind, resource, scope, request, status) values (?, ?, ?, ?, ?, ?)',
    )
    .run(snapshot, kind, resource, scope, request, status);
  mirror.store.prepare('delete from reads where scope = ? and kind = ?').run(scope, kind);
}

// Not a suspect snapshot that nobody accepted: what its walk was told to accept is not accepted with it.
const BEFORE = `(select max(id) from snapshots where id < @snapshot and state in ${SEALED}
  and (state <> 'suspect' or id in (select snapshot from accepted)))`;
const HELD = `select 1 from resources r join versions v on v.rid = r.rid and v.valid_to is null where r.kind`;
const NEVER_READ_THERE =
  '@scope is not null and not exists (select 1 from reads d where d.scope = @scope and d.kind = @kind)';
const NAMED = `select 1 from refused f where f.kind = @kind and f.snapshot in (@snapshot, ${BEFORE})`;
const ACCEPTED = `${NAMED} and (f.resource = @resource
  or (${NEVER_READ_THERE} and not exists (${HELD} = @kind) and not exists (select 1 from reads d where d.kind = @kind and ${isReadSql('d')}))) limit 1`;

/**
 * True for a refusal that was accepted in this walk or the one before it. Where nothing was ever read, as below a resource that is new or
 * came back, it is accepted as well if the kind is refused elsewhere and read nowhere: the token has no such right there either.
 */
export function isRefusalAccepted(
  { mirror, id: snapshot }: OpenSnapshot,
  { kind, resource, scope }: RefusedPlace,
): boolean {
  return mirror.store.prepare(ACCEPTED).get({ snapshot, kind, resource, scope }) !== undefined;
}

/** True for a place that the snapshot of this walk or the one before it names as refused. */
export function isRefusalNamed({ mirror, id: snapshot }: OpenSnapshot, kind: string, resource: string): boolean {
  return mirror.store.prepare(`${NAMED} and f.resource = @resource`).get({ snapshot, kind, resource }) !== undefined;
}

/** True for one of them that was not found: which says rather that the platform has no such listing than that the token lacks a right. */
export function isNotFoundNamed({ mirror, id: snapshot }: OpenSnapshot, kind: string, resource: string): boolean {
  const sql = `${NAMED} and f.resource = @resource and f.status in (${NOT_FOUND.join(', ')})`;
  return mirror.store.prepare(sql).get({ snapshot, kind, resource }) !== undefined;
}

/** Drops what the open snapshot names as refused below a resource that has ended. */
export function dropRefusedBelowEnded({ mirror, id: snapshot }: OpenSnapshot): void {
  const sql = `delete from refused where snapshot = ? and scope is not null
    and not exists (select 1 from versions v where v.rid = refused.scope and v.valid_to is null)`;
  mirror.store.prepare(sql).run(snapshot);
}

const STILL = `select f.kind, f.resource, f.scope, f.request, f.status from refused f where f.snapshot = ${BEFORE}
  and not exists (select 1 from refused n where n.snapshot = @snapshot and n.kind = f.kind and n.resource = f.resource)
  and (f.scope is null or exists (select 1 from versions v where v.rid = f.scope and v.valid_to is null))
  and not exists (select 1 from reads d where d.scope = f.scope and d.kind = f.kind and ${isReadSql('d')})
  and not exists (${HELD} = f.kind and (r.key = f.resource or (f.kind <> 'invite' and r.scope = f.scope)))`;

/** What the last snapshot named as refused, and has not been answered since. */
export function refusedSince({ mirror, id: snapshot }: OpenSnapshot): (Refusal & RefusedPlace)[] {
  return mirror.store.prepare<Refusal & RefusedPlace>(STILL).all({ snapshot });
}

/** False for parts of a tree and what stands beside them: who may read the tree may read them. */
export function hasRightsOfItsOwn(kind: KindName): boolean {
  const { from } = kindOf(kind).read;
  return from === 'list' || from === 'single' || from === 'routes';
}

/** False for what holds content: a refusal of that alone can never be accepted. */
function mayBeAccepted(kind: KindName): boolean {
  return hasRightsOfItsOwn(kind) && !HOLDERS.has(kind);
}

const HOLDERS: ReadonlySet<KindName> = new Set(['organization', 'collection']);

/** True for what is read in one piece by the id of what holds it, and ends with that alone: where it was read, no refusal ends it. */
function endsWithItsHolder(kind: KindName): boolean {
  const { read, id, parent } = kindOf(kind);
  return read.from === 'single' && id === null && parent !== 'site';
}

/** True for a kind of which a refusal is one of a single thing, not of all that stands below another, nor of the content of a space. */
export function isOneByItself(kind: KindName): boolean {
  return !hasRightsOfItsOwn(kind) || (endsWithItsHolder(kind) && kindOf(kind).parent !== 'space');
}

/** True for a kind of which one request shows all that is below a parent, in pages or at once: 404 to that does not say that one of them is gone. */
export function isListed(kind: KindName): boolean {
  const { read, id } = kindOf(kind);
  return mayBeAccepted(kind) && (read.from === 'list' || (read.from === 'single' && id !== null));
}

const WITH_RIGHTS = wordsSql(kindNames.filter((kind) => mayBeAccepted(kind) && !endsWithItsHolder(kind)));
const ENDED_FROM_ABOVE = wordsSql(kindNames.filter(endsWithItsHolder));
const LISTED = wordsSql(kindNames.filter(isListed));
const NEVER_READ = `not exists (select 1 from resources p join resources r on r.scope = p.rid
  where p.key = f.resource and r.kind = f.kind)`;
// By status first: an index leads to these few, past whatever else failed.
const WOULD_ACCEPT = `select f.kind, f.status from requests_failed f where f.snapshot = @snapshot
  and f.status in (${[NOT_PAID, FORBIDDEN, ...NOT_FOUND].join(', ')})
  and ((f.code = 'DM_FORBIDDEN' and (f.kind in (${WITH_RIGHTS}) or (f.kind in (${ENDED_FROM_ABOVE}) and ${NEVER_READ})))
    or (f.status in (${NOT_FOUND.join(', ')}) and f.kind in (${LISTED}) and ${NEVER_READ}))`;

// What is out of reach was refused by its own id; parts of a tree end with that alone.
const ALL_REFUSED = `${WOULD_ACCEPT}
  union all select kind, ${FORBIDDEN} as status from snapshot_kinds
    where snapshot = @snapshot and unreachable > 0 and kind in (${wordsSql(kindNames.filter(hasRightsOfItsOwn))})`;

/** What failed in a snapshot because the token may not read it, and --accept-rights would accept: one for each place. */
export function refusedUnaccepted({ store }: Mirror, snapshot: number): Told[] {
  return store.prepare<Told>(`${WOULD_ACCEPT} order by f.kind`).all({ snapshot });
}

/** True for a snapshot that lacks something which the token may not read, and which --accept-rights would accept. */
export function isRefusedIn({ store }: Mirror, snapshot: number): boolean {
  return store.prepare(`${ALL_REFUSED} limit 1`).get({ snapshot }) !== undefined;
}

/** True where some of that is more than one thing by itself, as a listing or all that a space holds. */
export function isMoreThanOneRefused({ store }: Mirror, snapshot: number): boolean {
  const all = store.prepare<Told>(ALL_REFUSED).all({ snapshot });
  return all.some(({ kind }) => !(isKindName(kind) && isOneByItself(kind)));
}

/** True where all of that is not found: then the platform has no such listings, or hides them. */
export function isOnlyNotFound({ store }: Mirror, snapshot: number): boolean {
  const all = store.prepare<Told>(ALL_REFUSED).all({ snapshot });
  return all.length > 0 && all.every(isNotFound);
}

/** What words are made of. */
type Told = Pick<Refusal, 'kind' | 'status'>;

/** Each kind with the number of places where it is refused: `invite (1), share-link (2)`; or not found: `link (26, not found)`. */
export function refusedWords(refused: readonly Told[]): string {
  const byKind = groupBy(refused, ({ kind }) => kind);
  return Array.from(
    byKind,
    ([kind, all]) => `${kind} (${all.length}${all.every(isNotFound) ? ', not found' : ''})`,
  ).join(', ');
}

function isNotFound({ status }: Told): boolean {
  return isNotFoundStatus(status);
}

/** What a snapshot lacks by what was accepted. */
export function refusedIn({ store }: Mirror, snapshot: number): Refusal[] {
  return store
    .prepare<Refusal>('select kind, resource, request, status from refused where snapshot = ? order by kind, resource')
    .all(snapshot);
}
