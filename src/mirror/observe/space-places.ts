// Where the spaces of collections stand, of those that the open snapshot has found.
import type { Mirror, OpenSnapshot } from '../database/database.ts';
import { jsonSql } from '../bodies/stored-json.ts';
import { isReadSql } from './read-marks.ts';

/** A collection with what of its spaces was found. */
export interface PlacedSpaces {
  readonly rid: number;
  readonly key: string;
  /** Spaces in it that some route has shown in this snapshot. */
  readonly spaces: number;
  /** How many different places they have. */
  readonly places: number;
  /** The last of their places, from 0; null when none has one. */
  readonly highest: number | null;
  /** Its own listing was read to its end in this snapshot. */
  readonly isListed: boolean;
  /** How many of the spaces that listing has not shown. */
  readonly unlisted: number;
}

type Row = Omit<PlacedSpaces, 'isListed'> & { readonly isListed: number };

/** Every collection of an organization in which the open snapshot has found a space. */
export function spacesByCollection({ mirror, id: snapshot }: OpenSnapshot, organization: number): PlacedSpaces[] {
  const rows = mirror.store
    .prepare<Row>(
      `with found as (
         select r.rid, v.position, ${jsonSql('b.data', '$.parent')} as parent,
           exists (select 1 from routes t where t.rid = r.rid and t.snapshot = ? and t.route = 'collection') as listed
         from resources r join versions v on v.rid = r.rid and v.valid_to is null join bodies b on b.bid = v.body
         where r.kind = 'space' and exists (select 1 from routes t where t.rid = r.rid and t.snapshot = ?))
       select c.rid, c.key, count(*) as spaces, count(distinct f.position) as places, max(f.position) as highest,
         exists (select 1 from reads m where m.scope = c.rid and m.kind = 'space' and m.snapshot = ? and ${isReadSql('m')}) as isListed,
         sum(not f.listed) as unlisted
       from found f join resources c on c.kind = 'collection' and c.key = f.parent
       where c.scope = ? and exists (select 1 from versions v where v.rid = c.rid and v.valid_to is null)
       group by c.rid order by c.rid`,
    )
    .all(snapshot, snapshot, snapshot, organization);
  return rows.map((row) => ({ ...row, isListed: row.isListed === 1 }));
}

/** A collection that is not held, and the ids of the spaces that say that they stand in it, in their order. */
export interface UnknownCollection {
  readonly key: string;
  readonly spaces: readonly string[];
}

/** The collections of an organization in which spaces and collections stand, and that are not held, those with most in them first. */
export function unknownCollections({ store }: Mirror, organization: number): UnknownCollection[] {
  return store
    .prepare<{ readonly named: unknown; readonly spaces: string }>(
      `select ${jsonSql('b.data', '$.parent')} as named, json_group_array(r.key order by r.key) filter (where r.kind = 'space') as spaces
       from resources r join versions v on v.rid = r.rid and v.valid_to is null join bodies b on b.bid = v.body
       where r.kind in ('space', 'collection') and r.scope = ? and named is not null and not exists (
         select 1 from resources c join versions w on w.rid = c.rid and w.valid_to is null
         where c.kind = 'collection' and c.key = named)
       group by named order by count(*) desc, named`,
    )
    .all(organization)
    .flatMap(({ named, spaces }) =>
      typeof named === 'string' ? [{ key: named, spaces: JSON.parse(spaces) as string[] }] : [],
    );
}

/** The ids of the spaces of an organization that say that they stand in a collection, in their order. */
export function spacesNaming({ store }: Mirror, organization: number, collection: string): string[] {
  return store
    .prepare<{ readonly key: string }>(
      `select r.key from resources r join versions v on v.rid = r.rid and v.valid_to is null join bodies b on b.bid = v.body
       where r.kind = 'space' and r.scope = ? and ${jsonSql('b.data', '$.parent')} = ? order by r.key`,
    )
    .all(organization, collection)
    .map(({ key }) => key);
}
