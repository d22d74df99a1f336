// Change requests and the content that they propose.
import Type from 'typebox';
import { Count, Text } from '../schemas/common.ts';
import { File, Page, Revision } from '../schemas/content.ts';
import { CHANGE_REQUEST_STATUSES, ChangeRequest, UNDER_WAY_STATUSES } from '../schemas/discussions.ts';
import { documentRecovery, fileRecovery, PageDocument, pageRecovery, revisionRecovery } from './content-parts.ts';
import { bestEffort, counted, identity, kind, noOperation, serverSet } from './define.ts';

const request = ['spaceId', 'changeRequestId'] as const;

export const changeRequestKinds = {
  'change-request': kind({
    view: 'change_requests',
    schema: ChangeRequest,
    parent: 'space',
    params: request,
    id: 'id',
    read: {
      from: 'list',
      operation: 'listChangeRequests',
      each: { parameter: 'status', values: CHANGE_REQUEST_STATUSES, named: UNDER_WAY_STATUSES },
    },
    get: 'getChangeRequest',
    create: 'createChangeRequest',
    update: 'updateChangeRequest',
    movesWith: ['changeRequests', 'changeRequestsOpen', 'changeRequestsDraft', 'updatedAt'],
    countedBy: 'changeRequests',
    follows: ['outdated'],
    refs: { revision: 'change-request-revision' },
    recovery: {
      ...identity,
      number: bestEffort('numbered anew, in the order of the original numbers'),
      createdBy: noOperation,
      createdAt: serverSet,
      updatedAt: serverSet,
      revision: serverSet,
      revisionInitial: serverSet,
      revisionMergedAncestor: serverSet,
      revisionMerged: serverSet,
      comments: counted,
      outdated: serverSet,
      status: bestEffort(
        'draft, open and archived are set; a merged request comes back archived, its content is in the space',
      ),
    },
  }),
  // A change request as a document to read: a file of it that the platform draws on request.
  'change-request-pdf': kind({
    view: 'change_request_files',
    schema: Type.Object({ name: Text, contentType: Text, size: Count, revision: Text, url: Text }),
    parent: 'change-request',
    params: request,
    id: null,
    read: { from: 'beside', operation: 'getChangeRequestPdf' },
    get: 'getChangeRequestPdf',
    volatile: ['url'],
    bytes: 'url',
    recovery: { '*': { as: 'lost', why: 'drawn by the platform from the content' } },
  }),
  'change-request-revision': kind({
    view: 'change_request_revisions',
    schema: Revision,
    parent: 'change-request',
    params: request,
    id: null,
    read: { from: 'single', operation: 'getChangeRequestRevision' },
    get: 'getChangeRequestRevision',
    movesWith: ['revision'],
    embeds: {
      pages: 'change-request-page',
      files: 'change-request-file',
      reusableContents: 'reusable-content',
    },
    recovery: revisionRecovery,
  }),
  'change-request-page': kind({
    view: 'change_request_pages',
    schema: Page,
    parent: 'change-request-revision',
    params: [...request, 'pageId'],
    id: 'id',
    read: { from: 'part', field: 'pages', nested: 'pages' },
    get: 'getChangeRequestPage',
    copyOf: 'page',
    // Addresses follow the titles of what is around a page; they are not an edit of it.
    volatile: ['urls'],
    follows: ['path'],
    text: 'markdown',
    refs: { 'cover.ref.file': 'file' },
    recovery: pageRecovery,
  }),
  'change-request-page-document': kind({
    view: 'page_documents',
    schema: PageDocument,
    parent: 'change-request-page',
    params: [...request, 'pageId'],
    id: null,
    read: {
      from: 'beside',
      operation: 'getChangeRequestPage',
      query: { format: 'document' },
    },
    get: 'getChangeRequestPage',
    copyOf: 'page-document',
    recovery: documentRecovery,
  }),
  'change-request-file': kind({
    view: 'change_request_files',
    schema: File,
    parent: 'change-request-revision',
    params: [...request, 'fileId'],
    id: 'id',
    read: { from: 'part', field: 'files' },
    get: 'getChangeRequestFile',
    copyOf: 'file',
    volatile: ['downloadURL', 'urls'],
    bytes: 'downloadURL',
    recovery: fileRecovery,
  }),
};
