import { arrayPage } from '../../contract/index.ts';
import { isoTime } from '../../base/index.ts';
import { authorize } from '../access/authorize.ts';
import { applyImport } from '../content/apply-import.ts';
import { commitToRequest, commitToSpace, demandEditable, demandUnlocked } from '../content/commit.ts';
import { withComputedPages } from '../content/computed-pages.ts';
import { fileIn, pageIn, revisionAt, type ContentPlace } from '../content/resolve-revision.ts';
import type { StoredRevision } from '../content/revision-cache.ts';
import type { Tree } from '../content/tree.ts';
import type { PlatformContext } from '../context.ts';
import { showFile, showPage, showPageBody, showRevision } from '../show/content.ts';
import { findChangeRequest } from '../store/change-requests.ts';
import { findSpace } from '../store/spaces.ts';
import type { HandlerRequest, Handlers, LongHandlers } from './types.ts';

type FileQuery = { page?: string; limit?: number };

function fileList(context: PlatformContext, list: { operation: string; path: ContentPlace; query: FileQuery }) {
  const { spaceId, changeRequestId = '' } = list.path;
  const { files } = revisionAt(context, list.path).tree;
  // Files of a revision have no number of their own, so the id is the key and gives the order of the list.
  const sorted = files.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return arrayPage({ list: [list.operation, spaceId, changeRequestId], query: list.query }, sorted, {
    key: (file) => file.id,
    item: (file) => showFile(context, file),
  });
}

/** The content of the place; its computed entries stay as they are stored only when the request says so. */
function contentAt(context: PlatformContext, place: ContentPlace, query: { computed: boolean }): StoredRevision {
  const revision = revisionAt(context, place);
  return query.computed ? withComputedPages(context, revision) : revision;
}

function pageTree(context: PlatformContext, revision: StoredRevision) {
  return { pages: revision.tree.pages.map((page) => showPage(context, revision.space, page)) };
}

function pageWithBody(
  context: PlatformContext,
  place: ContentPlace,
  page: { id: string; format: 'markdown' | 'document'; computed: boolean },
) {
  const revision = contentAt(context, place, page);
  return showPageBody(context, { space: revision.space, page: pageIn(revision, page.id) }, page.format);
}

export const contentHandlers = {
  getRevision: (context, { path, query }) => showRevision(context, contentAt(context, path, query)),
  getChangeRequestRevision: (context, { path, query }) => showRevision(context, contentAt(context, path, query)),

  listPages: (context, { path, query }) => pageTree(context, contentAt(context, path, query)),
  listChangeRequestPages: (context, { path, query }) => pageTree(context, contentAt(context, path, query)),

  listFiles: (context, { path, query }) => fileList(context, { operation: 'listFiles', path, query }),
  listChangeRequestFiles: (context, { path, query }) =>
    fileList(context, { operation: 'listChangeRequestFiles', path, query }),

  getFile: (context, { path }) => showFile(context, fileIn(revisionAt(context, path), path.fileId)),
  getChangeRequestFile: (context, { path }) => showFile(context, fileIn(revisionAt(context, path), path.fileId)),

  getPage: (context, { path, query }) =>
    pageWithBody(context, path, {
      id: path.pageId,
      format: query.format ?? 'document',
      computed: query.computed,
    }),
  getChangeRequestPage: (context, { path, query }) =>
    pageWithBody(context, path, {
      id: path.pageId,
      format: query.format ?? 'document',
      computed: query.computed,
    }),
} satisfies Handlers;

type ImportName = 'importContent' | 'importChangeRequestContent';
type ImportRequest = Pick<HandlerRequest<ImportName>, 'path' | 'body' | 'caller'>;

/** What was true before the download may not be true after it, so `commit` asks for all of it again; rights are asked for here. */
async function importInto(
  context: PlatformContext,
  { name, path, body, caller }: ImportRequest & { name: ImportName },
  commit: (apply: (tree: Tree) => Tree) => string,
) {
  using imported = await context.readContent(body);
  for (const { resource, reason } of imported.problems) {
    context.log.warn({ space: path.spaceId, resource, reason }, 'not imported');
  }
  const now = isoTime(context.clock.now());
  const apply = (tree: Tree): Tree => applyImport(context, tree, { imported, now });
  const revision = context.db.transaction(() => {
    authorize(context, { name, path, user: caller.user });
    return commit(apply);
  });
  return { revision, importedResources: imported.imported, totalResources: imported.total };
}

export const contentLongHandlers = {
  importContent: (context, request) => {
    const { path } = request;
    demandUnlocked(findSpace(context, path.spaceId));
    return importInto(context, { name: 'importContent', ...request }, (apply) => {
      const space = findSpace(context, path.spaceId);
      demandUnlocked(space);
      return commitToSpace(context, space, { tree: apply(revisionAt(context, path).tree), type: 'edits' });
    });
  },

  importChangeRequestContent: (context, request) => {
    const { path } = request;
    demandEditable(findChangeRequest(context, findSpace(context, path.spaceId).id, path.changeRequestId));
    return importInto(context, { name: 'importChangeRequestContent', ...request }, (apply) => {
      const row = findChangeRequest(context, findSpace(context, path.spaceId).id, path.changeRequestId);
      demandEditable(row);
      return commitToRequest(context, row, { tree: apply(revisionAt(context, path).tree), type: 'edits' });
    });
  },
} satisfies LongHandlers;
