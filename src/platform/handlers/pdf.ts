import { invalid } from '../../contract/index.ts';
import { pageText, withComputedPages } from '../content/computed-pages.ts';
import { pageIn, revisionAt } from '../content/resolve-revision.ts';
import { readerNodes } from '../content/included-nodes.ts';
import { readStableLink } from '../../document/index.ts';
import type { StoredRevision } from '../content/revision-cache.ts';
import { walkPages, type TreePage } from '../content/tree.ts';
import type { PlatformContext } from '../context.ts';
import { renderPdf } from '../pdf/render-pdf.ts';
import { findChangeRequest } from '../store/change-requests.ts';
import { holdBlob } from '../store/held-by-space.ts';
import { insertBlob, readBlob } from '../store/blobs.ts';
import type { LongHandlers } from './types.ts';

/** The pages that are asked for: all, one with what is below it, or one alone. */
function pagesFor(revision: StoredRevision, query: { only?: boolean; page?: string }): TreePage[] {
  if (query.page === undefined) {
    if (query.only === true) throw invalid('page', 'is required with only');
    return [...walkPages(revision.tree.pages)];
  }
  const page = pageIn(revision, query.page);
  return query.only === true ? [page] : [...walkPages([page])];
}

function pictureIn(context: PlatformContext, revision: StoredRevision, src: string): Buffer | undefined {
  const link = readStableLink(src)?.link;
  const file = link?.kind === 'files' && link.space === undefined ? revision.files.get(link.id) : undefined;
  return file && readBlob(context, file.sha256);
}

export const pdfLongHandlers = {
  getChangeRequestPdf: async (context, { path, query }) => {
    const revision = withComputedPages(context, revisionAt(context, path));
    const request = findChangeRequest(context, revision.space, path.changeRequestId);
    const title = request.subject || `Change request ${request.number}`;
    const bytes = await renderPdf({
      title,
      createdAt: Date.parse(revision.createdAt),
      pages: pagesFor(revision, query)
        .filter(({ type }) => type === 'document')
        .map((page) => ({ title: page.title, nodes: readerNodes(context, revision, pageText(context, page)) })),
      picture: (src) => pictureIn(context, revision, src),
    });
    const sha256 = insertBlob(context, bytes);
    holdBlob(context, revision.space, sha256);
    const name = `change-request-${request.number}.pdf`;
    return { url: context.signer.address({ sha256, name, contentType: 'application/pdf' }) };
  },
} satisfies LongHandlers;
