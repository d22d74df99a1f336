import { arrayPage, conflict, invalid } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { defined } from '../defined.ts';
import { seenBy, showSiteSpace } from '../show/sites.ts';
import { deletePart, partOf, updatePart } from '../store/site-parts.ts';
import {
  insertSiteSpace,
  movePart,
  settleDefaults,
  siteSpaceSiblings,
  type SiteSpacePlace,
} from '../store/site-places.ts';
import { allSiteSpaces, readStructure } from '../store/site-structure.ts';
import type { SiteRow, SiteSpaceRow } from '../store/site-tables.ts';
import { findSiteSpace, siteSpaceAnswer, spaceForSite, viewOf, viewToOrder } from './site-request.ts';
import type { Handlers } from './types.ts';

/** Where a new site space is to stand: the section that is named, else the default one, else the root. */
function placeFor(context: PlatformContext, site: SiteRow, sectionId: string | undefined): SiteSpacePlace {
  if (sectionId === undefined) {
    const section = readStructure(context, site).sections.find(({ isDefault }) => isDefault);
    return { site: site.id, section: section?.id ?? null };
  }
  const section = partOf(context, 'site-section', { site: site.id, id: sectionId });
  if (!section) throw invalid('sectionId', `section ${sectionId} is not of this site`);
  return { site: site.id, section: section.id };
}

// A deleted space keeps its path, so that it can come back to it.
function demandFreePath(context: PlatformContext, row: SiteSpaceRow, path: string | undefined): void {
  if (path === undefined || path === row.path) return;
  const taken = context.db
    .prepare('select 1 from site_spaces where site = ? and section is ? and path = ?')
    .get(row.site, row.section, path);
  if (taken) throw conflict(`Another site space has the path ${path} there`);
}

export const siteSpaceHandlers = {
  listSiteSpaces: (context, request) => {
    const view = viewOf(context, request);
    const { query } = request;
    // Where there are sections, each has a default.
    const rows = seenBy(view, allSiteSpaces(readStructure(context, view.site))).filter(
      (row) => query.default === undefined || row.isDefault === query.default,
    );
    return arrayPage({ list: ['listSiteSpaces', view.site.id, String(query.default)], query }, rows, {
      key: (row) => row.place,
      item: (row) => showSiteSpace(view, row),
    });
  },

  createSiteSpace: (context, request) => {
    const { site } = viewOf(context, request);
    const { body, caller } = request;
    const space = spaceForSite(context, site.organization, { id: body.spaceId, field: 'spaceId', caller });
    const id = insertSiteSpace(context, placeFor(context, site, body.sectionId), space);
    return siteSpaceAnswer(context, request, id);
  },

  // A section goes with its last site space: there is nothing left that it could show.
  deleteSiteSpace: (context, request) => {
    const view = viewOf(context, request);
    deletePart(context, 'site-space', findSiteSpace(view, request.path.siteSpaceId).id);
    settleDefaults(context, view.site);
    return undefined;
  },

  updateSiteSpace: (context, request) => {
    const row = findSiteSpace(viewOf(context, request), request.path.siteSpaceId);
    const { path, condition } = request.body;
    demandFreePath(context, row, path);
    updatePart(context, 'site-space', { id: row.id, fields: defined({ path, condition }) });
    return siteSpaceAnswer(context, request, row.id);
  },

  moveSiteSpace: (context, request) => {
    const row = findSiteSpace(viewToOrder(context, request), request.path.siteSpaceId);
    const { before, after } = request.body.position ?? {};
    movePart(context, 'site-space', {
      id: row.id,
      siblings: siteSpaceSiblings(context, row),
      wanted: {
        before: before && { type: before.type, id: before.siteSpace },
        after: after && { type: after.type, id: after.siteSpace },
      },
    });
    return siteSpaceAnswer(context, request, row.id);
  },
} satisfies Handlers;
