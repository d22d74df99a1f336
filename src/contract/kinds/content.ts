// What a space holds: its revision with pages, files and reusable contents, and its links.
import { File, Link, Page, ReusableContent, Revision } from '../schemas/content.ts';
import { documentRecovery, fileRecovery, PageDocument, pageRecovery, revisionRecovery } from './content-parts.ts';
import { kind } from './define.ts';

const space = ['spaceId'] as const;

export const contentKinds = {
  revision: kind({
    view: 'revisions',
    schema: Revision,
    parent: 'space',
    params: space,
    id: null,
    read: { from: 'single', operation: 'getRevision' },
    get: 'getRevision',
    movesWith: ['revision'],
    embeds: { pages: 'page', files: 'file', reusableContents: 'reusable-content' },
    recovery: revisionRecovery,
  }),
  page: kind({
    view: 'pages',
    schema: Page,
    parent: 'revision',
    params: [...space, 'pageId'],
    id: 'id',
    read: { from: 'part', field: 'pages', nested: 'pages' },
    get: 'getPage',
    // Addresses follow the titles of what is around a page; they are not an edit of it.
    volatile: ['urls'],
    follows: ['path'],
    text: 'markdown',
    refs: { 'cover.ref.file': 'file' },
    recovery: pageRecovery,
  }),
  'page-document': kind({
    view: 'page_documents',
    schema: PageDocument,
    parent: 'page',
    params: [...space, 'pageId'],
    id: null,
    read: { from: 'beside', operation: 'getPage', query: { format: 'document' } },
    get: 'getPage',
    recovery: documentRecovery,
  }),
  file: kind({
    view: 'files',
    schema: File,
    parent: 'revision',
    params: [...space, 'fileId'],
    id: 'id',
    read: { from: 'part', field: 'files' },
    get: 'getFile',
    volatile: ['downloadURL', 'urls'],
    bytes: 'downloadURL',
    recovery: fileRecovery,
  }),
  'reusable-content': kind({
    view: 'reusable_contents',
    schema: ReusableContent,
    parent: 'revision',
    params: [...space, 'reusableContentId'],
    id: 'id',
    read: { from: 'part', field: 'reusableContents', mayLack: true },
    recovery: {
      '*': { as: 'lost', why: 'no operation reads or writes the text of a reusable content' },
    },
  }),
  link: kind({
    view: 'links',
    schema: Link,
    parent: 'space',
    params: [...space, 'linkId'],
    id: null,
    // Links have no id: one is told from another by what it joins.
    read: { from: 'list', operation: 'listSpaceLinks' },
    // A link names the organization of what it leads to: a space that is transferred keeps its revision.
    movesWith: ['revision', 'organization'],
    derived: true,
    cut: ['organization', 'space', 'revision', 'change-request'],
    recovery: { '*': { as: 'lost', why: 'derived by the platform from the content' } },
  }),
};
