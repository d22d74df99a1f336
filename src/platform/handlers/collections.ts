import { isoTime } from '../../base/index.ts';
import { type Collection, keptRows, listPage, type SortKey, conflict } from '../../contract/index.ts';
import { authorizeTarget, type Caller } from '../access/authorize.ts';
import { keepOwnRole } from '../access/own-role.ts';
import { demandPlace } from '../access/placement.ts';
import { countVisibleSpaces } from '../access/visible-spaces.ts';
import type { PlatformContext } from '../context.ts';
import { defined } from '../defined.ts';
import { showCollection, showSpace } from '../show/containers.ts';
import {
  collectionsBelow,
  collectionsInOrder,
  type AfterCollection,
  countCollections,
  findCollection,
  levelInside,
} from '../store/collections.ts';
import { endPosition, movedPosition } from '../store/siblings.ts';
import { spacesInCollection, updateSpaceRow, type CountedSpace } from '../store/spaces.ts';
import type { CollectionRow, SpaceRow } from '../store/tables.ts';
import type { Handlers } from './types.ts';

function updateCollectionRow(context: PlatformContext, id: string, fields: Partial<CollectionRow>): void {
  if (Object.keys(fields).length === 0) return;
  context.db.run(context.db.sql.updateTable('collections').set(fields).where('id', '=', id));
}

function shownAgain(context: PlatformContext, id: string, caller: Caller): Collection {
  const row = findCollection(context, id);
  return showCollection(context, row, caller.content.of(row));
}

function spacesIn(context: PlatformContext, organization: string, collections: readonly string[]): SpaceRow[] {
  return context.db
    .prepare<SpaceRow>(
      'select * from spaces where organization = ? and parent in (select value from json_each(?)) order by seq',
    )
    .all(organization, JSON.stringify(collections));
}

/** The level that a space keeps outside of its collection, so that nobody sees it who did not see it inside. */
function keptLevel(context: PlatformContext, { default_level, parent }: SpaceRow): SpaceRow['default_level'] {
  return default_level === 'inherit' && parent !== null ? levelInside(context, parent) : default_level;
}

/** The spaces inside go to the bin, from which they come back to the root. */
function removeCollection(context: PlatformContext, collection: CollectionRow): void {
  const { organization } = collection;
  const below = collectionsBelow(context, collection.id);
  const deleted_at = isoTime(context.clock.now());
  for (const space of spacesIn(context, organization, below)) {
    const place = { organization, parent: null };
    updateSpaceRow(context, space.id, {
      parent: null,
      position: endPosition(context, place),
      deleted_at: space.deleted_at ?? deleted_at,
      visibility: 'private',
      default_level: keptLevel(context, space),
    });
  }
  // Children first, because a collection refers to its parent.
  for (const id of below.toReversed()) {
    context.db.run(context.db.sql.deleteFrom('collections').where('id', '=', id));
  }
}

function transferCollection(context: PlatformContext, collection: CollectionRow, organization: string): void {
  const below = collectionsBelow(context, collection.id);
  updateCollectionRow(context, collection.id, {
    parent: null,
    position: endPosition(context, { organization, parent: null }),
  });
  for (const id of below) updateCollectionRow(context, id, { organization });
  for (const { id } of spacesIn(context, collection.organization, below)) updateSpaceRow(context, id, { organization });
}

const BEGINNING: AfterCollection = { place: '', deep: null };

function afterKey(key: SortKey | null): AfterCollection {
  const [place = '', deep = null] = key ?? [];
  return { place: String(place), deep: deep === null ? null : String(deep) };
}

export const collectionHandlers = {
  listCollections: (context, { path, query, caller }) => {
    const { organizationId } = path;
    const { nested } = query;
    const all = (after: AfterCollection) =>
      collectionsInOrder(context, organizationId, { nested, after }).filter((row) => caller.content.of(row) !== null);
    return listPage(
      { list: ['listCollections', organizationId, String(nested)], query },
      {
        count: () =>
          caller.content.everything ? countCollections(context, organizationId, nested) : all(BEGINNING).length,
        rows: (after, limit) => all(afterKey(after)).slice(0, limit),
        key: (row) => (row.deep === null ? [row.place] : [row.place, row.deep]),
        item: (row) => showCollection(context, row, caller.content.of(row)),
      },
    );
  },

  createCollection: (context, { path, body, caller }) => {
    const organization = path.organizationId;
    const parent = demandPlace(context, caller, { organization, parent: body.parent ?? null });
    const id = context.random.id();
    context.db.run(
      context.db.sql.insertInto('collections').values({
        id,
        organization,
        parent,
        title: body.title ?? 'Untitled',
        description: null,
        default_level: 'inherit',
        position: endPosition(context, { organization, parent }),
      }),
    );
    return shownAgain(context, id, caller);
  },

  getCollection: (context, { path, caller }) => shownAgain(context, path.collectionId, caller),

  updateCollection: (context, { path, body, caller }) => {
    const { title, description, defaultLevel } = body;
    updateCollectionRow(context, path.collectionId, defined({ title, description, default_level: defaultLevel }));
    return shownAgain(
      context,
      path.collectionId,
      keepOwnRole(context, caller, findCollection(context, path.collectionId)),
    );
  },

  deleteCollection: (context, { path }) => {
    removeCollection(context, findCollection(context, path.collectionId));
    return undefined;
  },

  listCollectionSpaces: (context, { path, query, caller }) => {
    const { id, organization } = findCollection(context, path.collectionId);
    const list = {
      rows: (after: SortKey | null, limit: number) =>
        spacesInCollection(context, id, { after: String(after?.[0] ?? ''), limit }),
      key: (row: CountedSpace) => [row.position],
    };
    return listPage(
      { list: ['listCollectionSpaces', id], query },
      {
        count: () => countVisibleSpaces(context, { organization, collection: id }, [caller.content]),
        rows: keptRows(list, (row) => caller.content.of(row) !== null),
        key: list.key,
        item: (row) => showSpace(context, row, caller.content.of(row)),
      },
    );
  },

  moveCollection: (context, { path, body, caller }) => {
    const row = findCollection(context, path.collectionId);
    const { organization } = row;
    const parent = demandPlace(context, caller, {
      organization,
      parent: body.parent === undefined ? row.parent : body.parent,
    });
    if (parent !== null && collectionsBelow(context, row.id).includes(parent)) {
      throw conflict('A collection cannot be moved into itself or into what it holds');
    }
    const place = { organization, parent };
    const position = movedPosition(context, place, { id: row.id, position: body.position });
    updateCollectionRow(context, row.id, { parent, position });
    return shownAgain(context, row.id, keepOwnRole(context, caller, findCollection(context, row.id)));
  },

  transferCollection: (context, { path, body, caller }) => {
    const row = findCollection(context, path.collectionId);
    if (row.organization === body.organization) throw conflict('The collection is in this organization already');
    const there = authorizeTarget(context, body.organization, caller.user);
    transferCollection(context, row, body.organization);
    return shownAgain(context, row.id, keepOwnRole(context, there, findCollection(context, row.id)));
  },
} satisfies Handlers;
