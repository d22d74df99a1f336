// By which routes spaces and invites were found: they have no listing of their own.
import type { Mirror, OpenSnapshot } from '../database/database.ts';
import { jsonSql } from '../bodies/stored-json.ts';
import { SEALED } from '../snapshots/sealed-states.ts';
import { paramsOf, type NumberedResource, type Params } from './key.ts';
import { isReadSql } from './read-marks.ts';

/** Notes by which route a space or invite was found in this snapshot. */
export function noteRoute({ mirror, id: snapshot }: OpenSnapshot, rid: number, route: string): void {
  mirror.store
    .prepare('insert or replace into routes (rid, route, snapshot) values (?, ?, ?)')
    .run(rid, route, snapshot);
}

/** True when a space was already taken in by some route of this snapshot. */
export function wasRouted({ mirror, id: snapshot }: OpenSnapshot, rid: number): boolean {
  return (
    mirror.store.prepare('select 1 from routes where rid = ? and snapshot = ? limit 1').get(rid, snapshot) !== undefined
  );
}

/** True when some route of a snapshot has shown the space of a key. Of an earlier one it is not known any more once a later walk went the same ways. */
export function isRoutedIn({ store }: Mirror, snapshot: number, key: string): boolean {
  const sql = `select 1 from resources r join routes t on t.rid = r.rid and t.snapshot = ? where r.kind = 'space' and r.key = ? limit 1`;
  return store.prepare(sql).get(snapshot, key) !== undefined;
}

const PARENT = jsonSql('b.data', '$.parent');
const SHOWN = `exists (select 1 from routes t where t.rid = r.rid and t.route = 'space-member'
  and t.snapshot >= (select max(id) from snapshots where state in ${SEALED} and scope is null))`;

function shownCollections(which: string): string {
  return `select ${PARENT} as collection from resources r join versions v on v.rid = r.rid and v.valid_to is null
    join bodies b on b.bid = v.body where r.kind = 'space' and ${PARENT} ${which} group by 1 having count(*) = sum(${SHOWN})`;
}

/**
 * True when a collection holds spaces and a member's listing has shown each of them in the last snapshot of everything, or since.
 * What only the collection itself has shown is not; and of an empty one nobody knows what members would show of it.
 */
export function isShownByMember({ store }: Mirror, collection: string): boolean {
  return store.prepare(shownCollections('= ?')).get(collection) !== undefined;
}

/** All collections of which that is true: one after the other, each goes through all spaces. */
export function shownByMembers({ store }: Mirror): Set<string> {
  const rows = store.prepare<{ collection: string }>(shownCollections('is not null')).all();
  return new Set(rows.map(({ collection }) => collection));
}

interface SeeingMember {
  readonly rid: number;
  readonly params: Params;
}

type MemberRow = Pick<NumberedResource, 'rid' | 'key'>;

function toMember({ rid, key }: MemberRow): SeeingMember {
  return { rid, params: paramsOf('member', key) };
}

/** Members whose listing shows a space as seen by them, now. */
export function membersWhoSee(mirror: Mirror, space: string): SeeingMember[] {
  const sql = `select p.rid, p.key from resources r join versions v on v.rid = r.rid and v.valid_to is null
    join resources p on p.rid = r.scope where r.id = @space and r.kind = 'space-member'`;
  return mirror.store.prepare<MemberRow>(sql).all({ space }).map(toMember);
}

const MEMBERS_NOT_READ = `select p.rid, p.key from resources o join resources p on p.scope = o.rid and p.kind = 'member'
  join versions v on v.rid = p.rid and v.valid_to is null
  join reads d on d.scope = p.rid and d.kind = 'space-member' and d.snapshot <> @snapshot and ${isReadSql('d')}
  where o.kind = 'organization' and o.key = @organization
  and exists (select 1 from resources r join versions s on s.rid = r.rid and s.valid_to is null where r.scope = p.rid and r.kind = 'space-member')
  order by p.key`;

/** Members of an organization whose listing shows spaces, and neither was read in this snapshot nor is to be read again. */
export function membersNotRead({ mirror, id: snapshot }: OpenSnapshot, organization: string): SeeingMember[] {
  const rows = mirror.store.prepare<MemberRow>(MEMBERS_NOT_READ).all({ snapshot, organization });
  return rows.map(toMember);
}

/** Spaces of an organization that hold now but were found by no route in this snapshot. */
export function unroutedSpaces({ mirror, id: snapshot }: OpenSnapshot, organization: number | null): Set<number> {
  const rows = mirror.store
    .prepare<{ rid: number }>(
      `select r.rid from resources r join versions v on v.rid = r.rid and v.valid_to is null
       where r.kind = 'space' and r.scope is ? and not exists (select 1 from routes t where t.rid = r.rid and t.snapshot = ?)`,
    )
    .all(organization, snapshot);
  return new Set(rows.map((row) => row.rid));
}
