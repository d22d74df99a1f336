// Collections, spaces and the values of custom fields that spaces have.
import { Collection, Space } from '../schemas/containers.ts';
import { CustomFieldValues } from '../schemas/extras.ts';
import { bestEffort, counted, identity, inListing, kind, noOperation, serverSet } from './define.ts';

const space = ['spaceId'] as const;

export const containerKinds = {
  collection: kind({
    view: 'collections',
    schema: Collection,
    parent: 'organization',
    params: ['collectionId'],
    id: 'id',
    read: { from: 'list', operation: 'listCollections' },
    get: 'getCollection',
    create: 'createCollection',
    update: 'updateCollection',
    remove: 'deleteCollection',
    move: 'moveCollection',
    refs: { organization: 'organization', parent: 'collection' },
    recovery: { ...identity, position: inListing },
  }),
  space: kind({
    view: 'spaces',
    schema: Space,
    parent: 'organization',
    params: space,
    id: 'id',
    read: { from: 'routes', routes: ['collection', 'space-member', 'site-space'] },
    get: 'getSpace',
    create: 'createSpace',
    update: 'updateSpace',
    remove: 'deleteSpace',
    move: 'moveSpace',
    refs: { organization: 'organization', parent: 'collection', revision: 'revision' },
    recovery: {
      ...identity,
      position: inListing,
      visibility: noOperation,
      createdAt: serverSet,
      updatedAt: serverSet,
      deletedAt: serverSet,
      gitSync: noOperation,
      visitorAuth: noOperation,
      revision: serverSet,
      comments: counted,
      changeRequests: bestEffort(
        'counts what came back, and what a restore wrote by change requests of its own: one in one space tries what an import does to pages',
      ),
      changeRequestsOpen: counted,
      changeRequestsDraft: counted,
    },
  }),
  'custom-field-value': kind({
    view: 'custom_field_values',
    schema: CustomFieldValues,
    parent: 'space',
    params: [...space, 'fieldName'],
    id: 'customField.name',
    read: { from: 'single', operation: 'getCustomFieldValues' },
    get: 'getCustomFieldValues',
    update: 'updateCustomFieldValues',
    movesWith: ['updatedAt'],
    embeds: { customField: 'custom-field' },
    recovery: {
      customField: { as: 'lost', why: 'the id that the platform gives to the field; its name is in the key' },
    },
  }),
};
