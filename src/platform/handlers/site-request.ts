// What the operations on sites share: who looks at which site, and which spaces a site may show.
import { type SiteSection, type SiteSectionGroup, type SiteSpace, invalid, notFound } from '../../contract/index.ts';
import type { Caller } from '../access/authorize.ts';
import type { PlatformContext } from '../context.ts';
import { showSection, showSectionGroup, showSiteSpace, type SiteView } from '../show/sites.ts';
import { settleDefaults } from '../store/site-places.ts';
import { allSiteSpaces, readStructure, type PlacedSiteSpace } from '../store/site-structure.ts';
import { findSite, openingKey, type SitePath } from '../store/sites.ts';
import type { SpaceRow } from '../store/tables.ts';

interface SiteRequest {
  path: SitePath;
  caller: Caller;
  query?: { shareKey?: string };
}

const SHORTEST_TITLE = 2;

/** True for what sites and sections may be called; titles of spaces can be shorter. */
export function isTitle(text: string): boolean {
  return Array.from(text).length >= SHORTEST_TITLE;
}

/** The site of the path as the caller sees it: 404 when it is not there, 403 for a share key that does not open it. */
export function viewOf(context: PlatformContext, request: SiteRequest): SiteView {
  const site = findSite(context, request.path);
  const shareKey = openingKey(context, site, request.query?.shareKey);
  return { context, site, caller: request.caller, shareKey };
}

/**
 * As viewOf, for a change of an order: what stands in for a default that left with its space becomes the default first, so that
 * nothing else stands in for it afterwards.
 */
export function viewToOrder(context: PlatformContext, request: SiteRequest): SiteView {
  const view = viewOf(context, request);
  settleDefaults(context, view.site);
  return view;
}

/** A space that a site of the organization may show; 400 for any other, naming the field. */
export function spaceForSite(
  context: PlatformContext,
  organization: string,
  named: { id: string; field: string; caller: Caller },
): SpaceRow {
  const row = context.db.prepare<SpaceRow>('select * from spaces where id = ?').get(named.id);
  const isHere = row?.organization === organization && row.deleted_at === null;
  if (!isHere || named.caller.content.of(row) === null) {
    throw invalid(named.field, `space ${named.id} does not exist in this organization`);
  }
  return row;
}

/** A site space of the path: 404 when it is not there, or its space is deleted. */
export function findSiteSpace({ context, site }: SiteView, id: string): PlacedSiteSpace {
  const found = allSiteSpaces(readStructure(context, site)).find((siteSpace) => siteSpace.id === id);
  if (!found) throw notFound('Site space', id);
  return found;
}

/** A section as it is now, after whatever was written. */
export function sectionAnswer(context: PlatformContext, request: SiteRequest, id: string): SiteSection {
  const view = viewOf(context, request);
  const found = readStructure(context, view.site).sections.find((section) => section.id === id);
  if (!found) throw notFound('Site section', id);
  return showSection(view, found);
}

/** A group as it is now. */
export function groupAnswer(context: PlatformContext, request: SiteRequest, id: string): SiteSectionGroup {
  const view = viewOf(context, request);
  const found = readStructure(context, view.site).groups.find((group) => group.id === id);
  if (!found) throw notFound('Site section group', id);
  return showSectionGroup(view, found);
}

/** A site space as it is now. */
export function siteSpaceAnswer(context: PlatformContext, request: SiteRequest, id: string): SiteSpace {
  const view = viewOf(context, request);
  return showSiteSpace(view, findSiteSpace(view, id));
}
