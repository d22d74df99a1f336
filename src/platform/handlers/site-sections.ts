import { arrayPage, conflict, invalid } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { defined } from '../defined.ts';
import { showSection } from '../show/sites.ts';
import { deletePart, findPart, updatePart } from '../store/site-parts.ts';
import { insertSection, insertSiteSpace, movePart, sectionSiblings, settleDefaults } from '../store/site-places.ts';
import { readStructure } from '../store/site-structure.ts';
import type { SectionRow, SiteRow } from '../store/site-tables.ts';
import type { SpaceRow } from '../store/tables.ts';
import { isTitle, sectionAnswer, spaceForSite, viewOf, viewToOrder } from './site-request.ts';
import type { HandlerRequest, Handlers } from './types.ts';

/** A title that a section can have, from that of a space, which may be shorter than sections allow. */
function titleFrom(title: string): string {
  return isTitle(title) ? title : `Section ${title}`.trim();
}

function sectionOf(
  context: PlatformContext,
  { path }: { path: HandlerRequest<'updateSiteSection'>['path'] },
): SectionRow {
  return findPart(context, 'site-section', { site: path.siteId, id: path.siteSectionId });
}

/**
 * A site has site spaces at its root or sections, never both: with the first section what stands at the root moves into one of
 * its own, named after the site's default space, which stays what the site opens with.
 */
function wrapRoot(context: PlatformContext, site: SiteRow): void {
  const atRoot = context.db
    .prepare<{ id: string; title: string }>(
      `select p.id, c.title from site_spaces p join spaces c on c.id = p.space
       where p.site = ? and p.section is null order by c.deleted_at is not null, p.position`,
    )
    .all(site.id);
  const { root } = readStructure(context, site);
  const first = atRoot.find(({ id }) => id === root.find(({ isDefault }) => isDefault)?.id) ?? atRoot[0];
  if (!first) return;
  const section = insertSection(context, site, titleFrom(first.title));
  context.db.prepare('update site_spaces set section = ? where site = ? and section is null').run(section, site.id);
  updatePart(context, 'site-section', { id: section, fields: { default_site_space: first.id } });
}

function demandTitle(title: string): string {
  if (!isTitle(title)) throw invalid('title', 'must not have fewer than 2 characters');
  return title;
}

function createSection(context: PlatformContext, site: SiteRow, wanted: { space: SpaceRow; title: string }): string {
  wrapRoot(context, site);
  const section = insertSection(context, site, wanted.title);
  insertSiteSpace(context, { site: site.id, section }, wanted.space);
  return section;
}

function demandFreePath(context: PlatformContext, section: SectionRow, path: string | undefined): void {
  if (path === undefined || path === section.path) return;
  const taken = context.db.prepare('select 1 from site_sections where site = ? and path = ?').get(section.site, path);
  if (taken) throw conflict(`Another section has the path ${path}`);
}

/** The site space that is to be the section's default; 400 for one that does not stand there. */
function defaultOf(context: PlatformContext, section: SectionRow, id: string | undefined): string | undefined {
  if (id === undefined) return undefined;
  const found = context.db
    .prepare(
      `select 1 from site_spaces p join spaces c on c.id = p.space
       where p.section = ? and p.id = ? and c.deleted_at is null`,
    )
    .get(section.id, id);
  if (!found) throw invalid('defaultSiteSpace', `site space ${id} does not stand in this section`);
  return id;
}

export const siteSectionHandlers = {
  listSiteSections: (context, request) => {
    const view = viewOf(context, request);
    const { sections } = readStructure(context, view.site);
    return arrayPage({ list: ['listSiteSections', view.site.id], query: request.query }, sections, {
      key: (section) => section.place,
      item: (section) => showSection(view, section),
    });
  },

  createSiteSection: (context, request) => {
    const { site } = viewOf(context, request);
    const { body, caller } = request;
    const space = spaceForSite(context, site.organization, { id: body.spaceId, field: 'spaceId', caller });
    const title = body.title === undefined ? titleFrom(space.title) : demandTitle(body.title);
    return sectionAnswer(context, request, createSection(context, site, { space, title }));
  },

  deleteSiteSection: (context, request) => {
    const { site } = viewOf(context, request);
    deletePart(context, 'site-section', sectionOf(context, request).id);
    settleDefaults(context, site);
    return undefined;
  },

  updateSiteSection: (context, request) => {
    viewOf(context, request);
    const section = sectionOf(context, request);
    const { title, path, condition, icon, description, defaultSiteSpace } = request.body;
    demandFreePath(context, section, path);
    const default_site_space = defaultOf(context, section, defaultSiteSpace);
    const fields = defined({ title, path, condition, icon, description, default_site_space });
    updatePart(context, 'site-section', { id: section.id, fields });
    return sectionAnswer(context, request, section.id);
  },

  /** Among the sections of its group, or among groups and sections outside of groups. */
  moveSiteSection: (context, request) => {
    viewToOrder(context, request);
    const section = sectionOf(context, request);
    const { before, after } = request.body.position ?? {};
    movePart(context, 'site-section', {
      id: section.id,
      siblings: sectionSiblings(context, { site: section.site, group: section.section_group }),
      wanted: {
        before: before && { type: before.type, id: before.siteSection },
        after: after && { type: after.type, id: after.siteSection },
      },
    });
    return sectionAnswer(context, request, section.id);
  },
} satisfies Handlers;
