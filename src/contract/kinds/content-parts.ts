// What revisions, pages and files have in common, in a space and in a change request.
import Type from 'typebox';
import { Text } from '../schemas/common.ts';
import { DocumentBody } from '../schemas/content.ts';
import { bestEffort, identity, noOperation, serverSet } from './define.ts';

const withImport = bestEffort('set through the front matter of the imported page where the platform reads it');

const asReference = bestEffort(
  'written as the address at which the app shows what was restored; a reference again where the target reads it as one',
);
const onlyAddress = bestEffort(
  'no import refers to it: a link page comes back with its address, and not at all without one',
);

export const pageRecovery = {
  ...identity,
  createdAt: serverSet,
  updatedAt: serverSet,
  documentId: serverSet,
  git: serverSet,
  layout: withImport,
  cover: withImport,
  computed: noOperation,
  computedSeed: serverSet,
  type: bestEffort('documents, groups and links come back; computed pages as their last text'),
  'target.page': asReference,
  'target.space': asReference,
  'target.collection': asReference,
  'target.anchor': asReference,
  'target.file': onlyAddress,
  'target.user': onlyAddress,
  'target.reusableContent': onlyAddress,
  'target.spec': onlyAddress,
};

// The text of a page a second time, as the tree of blocks that the platform edits.
export const PageDocument = Type.Object({ document: DocumentBody, documentId: Type.Optional(Text) });
export const documentRecovery = {
  '*': { as: 'lost', why: 'no operation takes a document tree; the text comes back through its Markdown' },
} as const;

export const fileRecovery = {
  ...identity,
  downloadURL: serverSet,
  git: serverSet,
  contentType: bestEffort('an archive carries none: the platform tells it from the name and the bytes'),
  dimensions: bestEffort('read from the bytes where the platform does so'),
};

export const revisionRecovery = {
  ...identity,
  parents: serverSet,
  createdAt: serverSet,
  git: serverSet,
  type: serverSet,
};
