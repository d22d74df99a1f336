import { isoTime } from '../../base/index.ts';
import type { Collection, Role } from '../../contract/index.ts';
import { authorizeTarget } from '../access/authorize.ts';
import type { PlatformContext } from '../context.ts';
import { defined } from '../defined.ts';
import { listPage } from '../paging.ts';
import { conflict, invalid } from '../refusal.ts';
import { showCollection, showSpace } from '../show/containers.ts';
import { collectionsBelow, collectionsInOrder, countCollections, findCollection } from '../store/collections.ts';
import { endPosition, movedPosition } from '../store/siblings.ts';
import { countSpacesInCollection, spacesInCollection, updateSpaceRow } from '../store/spaces.ts';
import type { CollectionRow } from '../store/tables.ts';
import type { Handlers } from './types.ts';

function updateCollectionRow(context: PlatformContext, id: string, fields: Partial<CollectionRow>): void {
  if (Object.keys(fields).length === 0) return;
  context.db.run(context.db.sql.updateTable('collections').set(fields).where('id', '=', id));
}

function shownAgain(context: PlatformContext, id: string, role: Role | null): Collection {
  return showCollection(context, findCollection(context, id), role);
}

/** The collection that is to hold something of the organization; null is the root. */
export function checkedParent(context: PlatformContext, organization: string, parent: string | null): string | null {
  if (parent === null) return null;
  const found = context.db
    .prepare<{ organization: string }>('select organization from collections where id = ?')
    .get(parent);
  if (found?.organization !== organization) throw invalid('parent', `collection ${parent} does not exist here`);
  return parent;
}

function spacesBelow(context: PlatformContext, collections: readonly string[]): string[] {
  const spaces = context.db.sql.selectFrom('spaces').select('id').where('parent', 'in', collections);
  return context.db.all(spaces).map((row) => row.id);
}

/** The spaces inside go to the bin, from which they come back to the root. */
function removeCollection(context: PlatformContext, collection: CollectionRow): void {
  const below = collectionsBelow(context, collection.id);
  const deleted_at = isoTime(context.clock.now());
  for (const space of spacesBelow(context, below)) {
    const row = context.db.get(context.db.sql.selectFrom('spaces').select('deleted_at').where('id', '=', space));
    const place = { organization: collection.organization, parent: null };
    updateSpaceRow(context, space, {
      parent: null,
      position: endPosition(context, place),
      deleted_at: row?.deleted_at ?? deleted_at,
      visibility: 'private',
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
  for (const id of spacesBelow(context, below)) updateSpaceRow(context, id, { organization });
}

export const collectionHandlers: Handlers = {
  listCollections: (context, { path, query, caller }) => {
    const { organizationId } = path;
    const nested = query.nested ?? true;
    return listPage(
      { list: ['listCollections', organizationId, String(nested)], query },
      {
        count: () => countCollections(context, organizationId, nested),
        rows: (after, limit) =>
          collectionsInOrder(context, organizationId, { nested, after: String(after?.[0] ?? ''), limit }),
        key: (row) => [row.place],
        item: (row) => showCollection(context, row, caller.role),
      },
    );
  },

  createCollection: (context, { path, body, caller }) => {
    const organization = path.organizationId;
    const parent = checkedParent(context, organization, body.parent ?? null);
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
    return shownAgain(context, id, caller.role);
  },

  getCollection: (context, { path, caller }) => shownAgain(context, path.collectionId, caller.role),

  updateCollection: (context, { path, body, caller }) => {
    const { title, description, defaultLevel } = body;
    updateCollectionRow(context, path.collectionId, defined({ title, description, default_level: defaultLevel }));
    return shownAgain(context, path.collectionId, caller.role);
  },

  deleteCollection: (context, { path }) => {
    removeCollection(context, findCollection(context, path.collectionId));
    return undefined;
  },

  listCollectionSpaces: (context, { path, query, caller }) =>
    listPage(
      { list: ['listCollectionSpaces', path.collectionId], query },
      {
        count: () => countSpacesInCollection(context, path.collectionId),
        rows: (after, limit) =>
          spacesInCollection(context, path.collectionId, { after: String(after?.[0] ?? ''), limit }),
        key: (row) => [row.position],
        item: (row) => showSpace(context, row, caller.role),
      },
    ),

  moveCollection: (context, { path, body, caller }) => {
    const row = findCollection(context, path.collectionId);
    const parent = checkedParent(context, row.organization, body.parent === undefined ? row.parent : body.parent);
    if (parent !== null && collectionsBelow(context, row.id).includes(parent)) {
      throw conflict('A collection cannot be moved into itself or into what it holds');
    }
    const place = { organization: row.organization, parent };
    const position = movedPosition(context, place, { id: row.id, position: body.position });
    updateCollectionRow(context, row.id, { parent, position });
    return shownAgain(context, row.id, caller.role);
  },

  transferCollection: (context, { path, body, caller }) => {
    const row = findCollection(context, path.collectionId);
    if (row.organization === body.organization) throw conflict('The collection is in this organization already');
    authorizeTarget(context, body.organization, caller.user);
    transferCollection(context, row, body.organization);
    return shownAgain(context, row.id, caller.role);
  },
};
