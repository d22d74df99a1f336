// Sections "Space content" and "Change request content": the same reads below two prefixes.
import Type from 'typebox';
import { Flag, Uri } from '../schemas/common.ts';
import {
  File,
  ImportResult,
  LINK_STATUSES,
  LinkList,
  LinkReference,
  Page,
  Revision,
  SpaceSearchResult,
} from '../schemas/content.ts';
import { list, operation, pagingQuery, withDefault } from './define.ts';

const IMPORT_SOURCES = [
  'website',
  'docx',
  'markdown',
  'html',
  'zip',
  'confluence',
  'github-wiki',
  'dropbox-paper',
  'notion',
  'quip',
  'google-docs',
  'open-api',
] as const;
const BODY_FORMATS = ['document', 'markdown'] as const;
export const Format = Type.Enum([...BODY_FORMATS]);

const SPACE = 'Space content';
const CHANGE_REQUEST = 'Change request content';
const space = '/v1/spaces/{spaceId}';
const changeRequest = '/v1/spaces/{spaceId}/change-requests/{changeRequestId}';

const contentQuery = { metadata: withDefault(Flag, true), computed: withDefault(Flag, true) };
const pageQuery = Type.Object({ format: Type.Optional(Format), ...contentQuery });
const importBody = Type.Object({ url: Uri, source: Type.Enum([...IMPORT_SOURCES]) });
const pageTree = Type.Object({ pages: Type.Array(Page) });
const linkStatus = Type.Optional(Type.Enum([...LINK_STATUSES]));

/** The operations that both prefixes share; the lists of the links of a page differ in their filter. */
function contentOperations<const S extends string, const P extends string>(section: S, prefix: P) {
  const content = `${prefix}/content` as const;
  return {
    revision: operation({
      section,
      method: 'GET',
      path: content,
      query: Type.Object(contentQuery),
      success: [200],
      response: Revision,
    }),
    import: operation({
      section,
      method: 'POST',
      path: `${content}/import`,
      body: importBody,
      success: [201],
      response: ImportResult,
    }),
    pages: operation({
      section,
      method: 'GET',
      path: `${content}/pages`,
      query: Type.Object(contentQuery),
      success: [200],
      response: pageTree,
    }),
    files: list(section, `${content}/files`, { item: File, query: contentQuery }),
    file: operation({
      section,
      method: 'GET',
      path: `${content}/files/{fileId}`,
      query: Type.Object(contentQuery),
      success: [200],
      response: File,
    }),
    backlinks: list(section, `${content}/files/{fileId}/backlinks`, { item: LinkReference }),
    page: operation({
      section,
      method: 'GET',
      path: `${content}/page/{pageId}`,
      query: pageQuery,
      success: [200],
      response: Page,
    }),
  };
}

const ofSpace = contentOperations(SPACE, space);
const ofChangeRequest = contentOperations(CHANGE_REQUEST, changeRequest);

export const contentOperationTable = {
  searchSpace: list(SPACE, `${space}/search`, {
    item: SpaceSearchResult,
    query: { query: Type.String({ minLength: 1, maxLength: 512 }) },
  }),
  getRevision: ofSpace.revision,
  importContent: ofSpace.import,
  listPages: ofSpace.pages,
  listFiles: ofSpace.files,
  getFile: ofSpace.file,
  listFileBacklinks: ofSpace.backlinks,
  getPage: ofSpace.page,
  listPageLinks: operation({
    section: SPACE,
    method: 'GET',
    path: `${space}/content/page/{pageId}/links`,
    query: Type.Object({ ...pagingQuery, status: linkStatus }),
    success: [200],
    response: LinkList,
    paged: true,
  }),
};

export const changeRequestContentOperations = {
  getChangeRequestRevision: ofChangeRequest.revision,
  importChangeRequestContent: ofChangeRequest.import,
  listChangeRequestPages: ofChangeRequest.pages,
  listChangeRequestFiles: ofChangeRequest.files,
  getChangeRequestFile: ofChangeRequest.file,
  listChangeRequestFileBacklinks: ofChangeRequest.backlinks,
  getChangeRequestPage: ofChangeRequest.page,
  listChangeRequestPageLinks: operation({
    section: CHANGE_REQUEST,
    method: 'GET',
    path: `${changeRequest}/content/page/{pageId}/links`,
    query: Type.Object(pagingQuery),
    success: [200],
    response: LinkList,
    paged: true,
  }),
};
