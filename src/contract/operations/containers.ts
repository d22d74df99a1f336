// Sections "Collections" and "Spaces".
import Type from 'typebox';
import { ContentLevel, ContentPosition, Flag, Id, nullable } from '../schemas/common.ts';
import { Collection, EditMode, Space } from '../schemas/containers.ts';
import { LINK_STATUSES, LinkList } from '../schemas/content.ts';
import { list, operation, pagingQuery, withDefault } from './define.ts';

const COLLECTIONS = 'Collections';
const SPACES = 'Spaces';
const collection = '/v1/collections/{collectionId}';
const space = '/v1/spaces/{spaceId}';
const title = Type.String({ maxLength: 50 });
const move = Type.Object({
  parent: Type.Optional(nullable(Id)),
  position: Type.Optional(ContentPosition),
});

export const collectionOperations = {
  getCollection: operation({
    section: COLLECTIONS,
    method: 'GET',
    path: collection,
    success: [200],
    response: Collection,
  }),
  deleteCollection: operation({
    section: COLLECTIONS,
    method: 'DELETE',
    path: collection,
    success: [205],
  }),
  updateCollection: operation({
    section: COLLECTIONS,
    method: 'PATCH',
    path: collection,
    body: Type.Object({
      title: Type.Optional(title),
      description: Type.Optional(Type.String({ maxLength: 100 })),
      defaultLevel: Type.Optional(ContentLevel),
    }),
    success: [200],
    response: Collection,
  }),
  listCollectionSpaces: list(COLLECTIONS, `${collection}/spaces`, { item: Space }),
  moveCollection: operation({
    section: COLLECTIONS,
    method: 'POST',
    path: `${collection}/move`,
    body: move,
    success: [200],
    statusFromReference: true,
    response: Collection,
  }),
  transferCollection: operation({
    section: COLLECTIONS,
    method: 'POST',
    path: `${collection}/transfer`,
    body: Type.Object({ organization: Id }),
    success: [200],
    statusFromReference: true,
    response: Collection,
  }),
  listCollections: list(COLLECTIONS, '/v1/orgs/{organizationId}/collections', {
    item: Collection,
    query: { nested: withDefault(Flag, true) },
  }),
  createCollection: operation({
    section: COLLECTIONS,
    method: 'POST',
    path: '/v1/orgs/{organizationId}/collections',
    body: Type.Object({ title: Type.Optional(title), parent: Type.Optional(Id) }),
    success: [201],
    response: Collection,
  }),
};

export const spaceOperations = {
  getSpace: operation({
    section: SPACES,
    method: 'GET',
    path: space,
    query: Type.Object({ shareKey: Type.Optional(Type.String()) }),
    success: [200],
    response: Space,
  }),
  deleteSpace: operation({ section: SPACES, method: 'DELETE', path: space, success: [205] }),
  updateSpace: operation({
    section: SPACES,
    method: 'PATCH',
    path: space,
    body: Type.Object({
      editMode: Type.Optional(EditMode),
      title: Type.Optional(title),
      defaultLevel: Type.Optional(ContentLevel),
      emoji: Type.Optional(Type.String({ maxLength: 50 })),
    }),
    success: [200],
    response: Space,
  }),
  duplicateSpace: operation({
    section: SPACES,
    method: 'POST',
    path: `${space}/duplicate`,
    success: [201],
    response: Space,
  }),
  restoreSpace: operation({
    section: SPACES,
    method: 'POST',
    path: `${space}/restore`,
    success: [200],
    response: Space,
  }),
  moveSpace: operation({
    section: SPACES,
    method: 'POST',
    path: `${space}/move`,
    body: move,
    success: [200],
    statusFromReference: true,
    response: Space,
  }),
  transferSpace: operation({
    section: SPACES,
    method: 'POST',
    path: `${space}/transfer`,
    body: Type.Object({ organization: Id }),
    success: [200],
    statusFromReference: true,
    response: Space,
  }),
  listSpaceLinks: operation({
    section: SPACES,
    method: 'GET',
    path: `${space}/links`,
    query: Type.Object({ ...pagingQuery, status: Type.Optional(Type.Enum([...LINK_STATUSES])) }),
    success: [200],
    statusFromReference: true,
    response: LinkList,
    paged: true,
  }),
};
