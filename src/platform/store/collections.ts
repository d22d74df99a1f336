import { notFound } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import type { CollectionRow, ContentLevel } from './tables.ts';

type Store = Pick<PlatformContext, 'db'>;

export function findCollection(context: Store, id: string): CollectionRow {
  const row = context.db.prepare<CollectionRow>('select * from collections where id = ?').get(id);
  if (!row) throw notFound('Collection', id);
  return row;
}

/** A collection with the place in the table of contents that sorts it: positions from the root joined by `/`. */
export interface PlacedCollection extends CollectionRow {
  place: string;
}

/** Collections of an organization depth first, in the order in which people see them, after the given place. */
export function collectionsInOrder(
  context: Store,
  organization: string,
  options: { nested: boolean; after: string; limit: number },
): PlacedCollection[] {
  // '/' sorts below every character of a position, so a collection comes right before what it holds.
  const statement = context.db.prepare<PlacedCollection>(
    `with recursive tree as (
       select *, position as place from collections where organization = ? and parent is null
       union all
       select c.*, t.place || '/' || c.position from collections c join tree t on c.parent = t.id where ?
     )
     select * from tree where place > ? order by place limit ?`,
  );
  return statement.all(organization, Number(options.nested), options.after, options.limit);
}

export function countCollections(context: Store, organization: string, nested: boolean): number {
  const all = context.db.sql
    .selectFrom('collections')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('organization', '=', organization);
  return context.db.get(nested ? all : all.where('parent', 'is', null))?.n ?? 0;
}

/** What everybody has on content that inherits there: the level of the nearest collection that does not inherit itself. */
export function levelInside(context: Store, collection: string): ContentLevel {
  const nearest = context.db
    .prepare<{ default_level: ContentLevel }>(
      `with recursive around as (
         select parent, default_level, 0 as distance from collections where id = ?
         union all select c.parent, c.default_level, a.distance + 1 from collections c join around a on c.id = a.parent
       )
       select default_level from around where default_level is not 'inherit' order by distance limit 1`,
    )
    .get(collection);
  return nearest === undefined ? 'inherit' : nearest.default_level;
}

/** Ids of the collection and of all below it. */
export function collectionsBelow(context: Store, id: string): string[] {
  const rows = context.db
    .prepare<{ id: string }>(
      `with recursive tree as (select id from collections where id = ?
         union all select c.id from collections c join tree t on c.parent = t.id)
       select id from tree`,
    )
    .all(id);
  return rows.map((row) => row.id);
}
