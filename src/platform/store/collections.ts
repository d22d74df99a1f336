import { groupBy } from '../../base/index.ts';
import { notFound } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import type { CollectionRow, ContentLevel } from './tables.ts';

type Store = Pick<PlatformContext, 'db'>;

export function findCollection(context: Store, id: string): CollectionRow {
  const row = context.db.prepare<CollectionRow>('select * from collections where id = ?').get(id);
  if (!row) throw notFound('Collection', id);
  return row;
}

/** A collection with where it stands in the table of contents, as a page token tells it. */
export interface PlacedCollection extends CollectionRow {
  /** Positions from the root joined by `/`, by which it is sorted; those of the first levels where it stands deeper. */
  place: string;
  /** Its id where its place does not tell it from others. */
  deep: string | null;
}

/** Where a listing goes on: after that place, or after that collection where it is still below it. */
export type AfterCollection = Pick<PlacedCollection, 'place' | 'deep'>;

// What stands deeper is told by its id: a page token with thousands of levels is longer than an address may be.
const MOST_LEVELS = 64;

/** Collections of an organization depth first, in the order in which people see them, after the given one. */
export function collectionsInOrder(
  context: Store,
  organization: string,
  options: { nested: boolean; after: AfterCollection },
): PlacedCollection[] {
  const statement = context.db.prepare<CollectionRow>(
    'select * from collections where organization = ? and (? or parent is null) order by position',
  );
  const placed = depthFirst(statement.all(organization, Number(options.nested)));
  const { place, deep } = options.after;
  const last = deep === null ? -1 : placed.findIndex((row) => row.deep === deep && row.place === place);
  if (last >= 0) return placed.slice(last + 1);
  // Of a deep one that is gone nobody knows what came before it: what stands at its place is listed once more.
  const from = placed.findIndex((row) => (deep === null ? row.place > place : row.place >= place));
  return from < 0 ? [] : placed.slice(from);
}

/** '/' sorts below every character of a position, so a collection comes right before what it holds. */
function depthFirst(rows: readonly CollectionRow[]): PlacedCollection[] {
  const below = groupBy(rows, (row) => row.parent);
  const placed: PlacedCollection[] = [];
  const waiting = (below.get(null) ?? []).map((row) => ({ row, above: '', level: 1 })).toReversed();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { row, above, level } = next;
    const place = level > MOST_LEVELS ? above : above === '' ? row.position : `${above}/${row.position}`;
    placed.push({ ...row, place, deep: level > MOST_LEVELS ? row.id : null });
    for (const child of (below.get(row.id) ?? []).toReversed()) {
      waiting.push({ row: child, above: place, level: level + 1 });
    }
  }
  return placed;
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
