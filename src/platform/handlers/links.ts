import { type AnswerOf, arrayPage, type ListRequest } from '../../contract/index.ts';
import type { Caller } from '../access/authorize.ts';
import { withComputedPages } from '../content/computed-pages.ts';
import { allLinks, linksOf, type FoundLink } from '../content/links.ts';
import { fileIn, pageIn, revisionAt, type ContentPlace } from '../content/resolve-revision.ts';
import type { StoredRevision } from '../content/revision-cache.ts';
import type { PlatformContext } from '../context.ts';
import { holderReference, showLink } from '../show/links.ts';
import type { Handlers } from './types.ts';

interface LinkListRequest {
  place: ContentPlace;
  /** Only links of this page. */
  pageId?: string;
  query: { page?: string; limit?: number; status?: FoundLink['status'] };
  caller: Caller;
}

/** With the pages that are computed: who reads them follows their links too. */
function shownAt(context: PlatformContext, place: ContentPlace): StoredRevision {
  return withComputedPages(context, revisionAt(context, place));
}

function linkList(context: PlatformContext, request: LinkListRequest): AnswerOf<'listSpaceLinks'> {
  const { place, pageId, query, caller } = request;
  const revision = shownAt(context, place);
  const view = { caller, revision, places: new Map() };
  const all =
    pageId === undefined ? allLinks(context, revision) : linksOf(context, revision, [pageIn(revision, pageId)]);
  const shown = all.filter((link) => query.status === undefined || link.status === query.status);
  const broken = all.filter((link) => link.status === 'broken');
  const list = arrayPage(listRequest('links', request), shown, {
    key: (link) => link.key,
    item: (link) => showLink(context, link, view),
    fitting,
  });
  const added = place.changeRequestId === undefined ? {} : { changeRequest: newlyBroken(context, place, broken) };
  return { ...list, stats: { total: all.length, broken: { total: broken.length, ...added } } };
}

/** Places named on one page of links: each of them with its page, its space and its organization. */
const PLACES_A_PAGE = 5000;

/** A link that stands on every page of a space makes an answer as large as a thousand others. */
function fitting(links: readonly FoundLink[]): number {
  let places = 0;
  const over = links.findIndex(({ holders }) => (places += holders.length) > PLACES_A_PAGE);
  return over < 0 ? links.length : Math.max(1, over);
}

/** How many links the change request breaks that are not broken in the main content. */
function newlyBroken(context: PlatformContext, place: ContentPlace, broken: readonly FoundLink[]): number {
  const main = shownAt(context, { spaceId: place.spaceId });
  const before = allLinks(context, main).filter((link) => link.status === 'broken');
  const known = new Set(before.map((link) => link.key));
  return broken.filter((link) => !known.has(link.key)).length;
}

function backlinks(context: PlatformContext, request: Omit<LinkListRequest, 'pageId'> & { fileId: string }) {
  const { place, fileId, caller } = request;
  const revision = shownAt(context, place);
  const view = { caller, revision, places: new Map() };
  const file = fileIn(revision, fileId);
  const links = allLinks(context, revision);
  const holders = links.find(({ target }) => target.kind === 'file' && target.file === file.id)?.holders ?? [];
  const sorted = holders.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return arrayPage(listRequest(fileId, request), sorted, {
    key: (holder) => holder.id,
    item: (holder) => holderReference(context, holder, view),
  });
}

function listRequest(what: string, { place, pageId = '', query }: Omit<LinkListRequest, 'caller'>): ListRequest {
  return { list: [what, place.spaceId, place.changeRequestId ?? '', pageId, query.status ?? ''], query };
}

export const linkHandlers = {
  listSpaceLinks: (context, { path, query, caller }) => linkList(context, { place: path, query, caller }),
  listPageLinks: (context, { path, query, caller }) =>
    linkList(context, { place: path, pageId: path.pageId, query, caller }),
  listChangeRequestPageLinks: (context, { path, query, caller }) =>
    linkList(context, { place: path, pageId: path.pageId, query, caller }),
  listFileBacklinks: (context, { path, query, caller }) =>
    backlinks(context, { place: path, fileId: path.fileId, query, caller }),
  listChangeRequestFileBacklinks: (context, { path, query, caller }) =>
    backlinks(context, { place: path, fileId: path.fileId, query, caller }),
} satisfies Handlers;
