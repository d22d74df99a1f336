import { arrayPage, conflict, invalid, notFound } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { defined } from '../defined.ts';
import { positionBetween } from '../position.ts';
import { showSectionGroup } from '../show/sites.ts';
import { deletePart, findPart, partOf, updatePart } from '../store/site-parts.ts';
import { insertGroup, movePart, placeSection, sectionSiblings } from '../store/site-places.ts';
import { readStructure } from '../store/site-structure.ts';
import type { SectionGroupRow, SectionRow, SiteRow } from '../store/site-tables.ts';
import { groupAnswer, viewOf, viewToOrder } from './site-request.ts';
import type { HandlerRequest, Handlers } from './types.ts';

function groupOf(
  context: PlatformContext,
  { path }: { path: HandlerRequest<'updateSiteSectionGroup'>['path'] },
): SectionGroupRow {
  return findPart(context, 'site-section-group', { site: path.siteId, id: path.siteSectionGroupId });
}

/** A section of the site that a body names. */
function namedSection(context: PlatformContext, site: SiteRow, named: { id: string; field: string }): SectionRow {
  const section = partOf(context, 'site-section', { site: site.id, id: named.id });
  if (!section) throw invalid(named.field, `section ${named.id} is not of this site`);
  return section;
}

/** Takes sections out of their group, right behind it and in their order, so that little moves for readers. */
function release(context: PlatformContext, group: SectionGroupRow, sections: readonly { id: string }[]): void {
  const siblings = sectionSiblings(context, { site: group.site, group: null });
  const index = siblings.findIndex(({ id }) => id === group.id);
  const next = siblings[index + 1]?.position ?? null;
  let previous = group.position;
  for (const { id } of sections) {
    previous = positionBetween(previous, next);
    updatePart(context, 'site-section', { id, fields: { section_group: null, position: previous } });
  }
}

export const siteSectionGroupHandlers = {
  listSiteSectionGroups: (context, request) => {
    const view = viewOf(context, request);
    const { groups } = readStructure(context, view.site);
    return arrayPage({ list: ['listSiteSectionGroups', view.site.id], query: request.query }, groups, {
      key: (group) => group.position,
      item: (group) => showSectionGroup(view, group),
    });
  },

  /** At the end of the site; sections that stood in another group leave it. */
  createSiteSectionGroup: (context, request) => {
    const { site } = viewToOrder(context, request);
    const { title, icon = null, sections = [] } = request.body;
    const id = insertGroup(context, { site: site.id, title, icon });
    for (const [i, section] of sections.entries()) {
      const row = namedSection(context, site, { id: section, field: `sections/${i}` });
      placeSection(context, row.id, { site: site.id, group: id });
    }
    return groupAnswer(context, request, id);
  },

  deleteSiteSectionGroup: (context, request) => {
    viewToOrder(context, request);
    const group = groupOf(context, request);
    release(context, group, sectionSiblings(context, { site: group.site, group: group.id }));
    deletePart(context, 'site-section-group', group.id);
    return undefined;
  },

  updateSiteSectionGroup: (context, request) => {
    viewOf(context, request);
    const group = groupOf(context, request);
    const { title, icon } = request.body;
    updatePart(context, 'site-section-group', { id: group.id, fields: defined({ title, icon }) });
    return groupAnswer(context, request, group.id);
  },

  addSectionToGroup: (context, request) => {
    const { site } = viewToOrder(context, request);
    const group = groupOf(context, request);
    const section = namedSection(context, site, { id: request.body.sectionId, field: 'sectionId' });
    if (section.section_group === group.id) throw conflict('The section is in this group already');
    placeSection(context, section.id, { site: site.id, group: group.id });
    return groupAnswer(context, request, group.id);
  },

  removeSectionFromGroup: (context, request) => {
    const { site } = viewToOrder(context, request);
    const group = groupOf(context, request);
    const { siteSectionId } = request.path;
    const section = partOf(context, 'site-section', { site: site.id, id: siteSectionId });
    if (section?.section_group !== group.id) throw notFound('Site section', siteSectionId);
    release(context, group, [section]);
    return undefined;
  },

  moveSiteSectionGroup: (context, request) => {
    viewToOrder(context, request);
    const group = groupOf(context, request);
    const { before, after } = request.body.position ?? {};
    movePart(context, 'site-section-group', {
      id: group.id,
      siblings: sectionSiblings(context, { site: group.site, group: null }),
      wanted: { before, after },
    });
    return groupAnswer(context, request, group.id);
  },
} satisfies Handlers;
