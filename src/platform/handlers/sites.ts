import { isoTime } from '../../base/index.ts';
import { type Site, arrayPage, conflict, invalid, notFound } from '../../contract/index.ts';
import { insertSpace, spaceTitle } from '../content/new-space.ts';
import { sampleTree } from '../content/sample.ts';
import { EMPTY_TREE } from '../content/tree.ts';
import type { PlatformContext } from '../context.ts';
import { defined } from '../defined.ts';
import { settingsOf } from '../show/organization.ts';
import { showPublishedSite } from '../show/published-site.ts';
import { showSite } from '../show/sites.ts';
import { findOrganization } from '../store/people.ts';
import { partOf, updatePart } from '../store/site-parts.ts';
import { insertSiteSpace } from '../store/site-places.ts';
import { allSiteSpaces, readStructure } from '../store/site-structure.ts';
import type { SiteRow } from '../store/site-tables.ts';
import { findSite, sitesOfOrganization, updateSiteRow } from '../store/sites.ts';
import { findSpace } from '../store/spaces.ts';
import type { SpaceRow } from '../store/tables.ts';
import { isTitle, spaceForSite, viewOf } from './site-request.ts';
import type { HandlerRequest, Handlers } from './types.ts';

const SEQ_WIDTH = 12;

/** The spaces that a new site begins with: those of the request, or a new one with the title of the site. */
function firstSpaces(context: PlatformContext, { path, body, caller }: HandlerRequest<'createSite'>): SpaceRow[] {
  const { spaces = [], title } = body;
  if (typeof spaces !== 'string') {
    return spaces.map((id, i) => spaceForSite(context, path.organizationId, { id, field: `spaces/${i}`, caller }));
  }
  const place = { organization: path.organizationId, parent: null };
  const content = spaces === 'sample' ? () => sampleTree(context) : () => EMPTY_TREE;
  const named = title === undefined ? {} : { title: spaceTitle(title) };
  return [findSpace(context, insertSpace(context, { ...place, ...named }, content))];
}

/** The title of a site that was given none. */
function titleFrom(spaces: readonly SpaceRow[]): string {
  const title = spaces[0]?.title ?? '';
  return isTitle(title) ? title : 'New site';
}

function insertSite(context: PlatformContext, site: Pick<SiteRow, 'organization' | 'type' | 'title' | 'visibility'>) {
  const id = context.random.id();
  const row: SiteRow = {
    id,
    ...site,
    published: 0,
    basename: null,
    proxy: null,
    adaptive_enabled: null,
    adaptive_schema: null,
    adaptive_updated_at: null,
    created_at: isoTime(context.clock.now()),
    default_section: null,
    default_site_space: null,
  };
  context.db.run(context.db.sql.insertInto('sites').values(row));
  return id;
}

function siteAnswer(context: PlatformContext, request: Parameters<typeof viewOf>[1]): Site {
  return showSite(viewOf(context, request));
}

function demandFreeBasename(context: PlatformContext, site: SiteRow, basename: string | undefined): void {
  if (basename === undefined || basename === site.basename) return;
  const taken = context.db
    .prepare('select 1 from sites where organization = ? and basename = ?')
    .get(site.organization, basename);
  if (taken) throw conflict(`Another site has the basename ${basename}`);
}

function setDefaults(context: PlatformContext, request: HandlerRequest<'updateSite'>): void {
  const { site } = viewOf(context, request);
  const { defaultSiteSection, defaultSiteSpace } = request.body;
  if (defaultSiteSection !== undefined) {
    const section = partOf(context, 'site-section', { site: site.id, id: defaultSiteSection });
    if (!section) throw invalid('defaultSiteSection', `section ${defaultSiteSection} is not of this site`);
    updateSiteRow(context, site.id, { default_section: section.id });
  }
  if (defaultSiteSpace === undefined) return;
  const row = allSiteSpaces(readStructure(context, site)).find(({ id }) => id === defaultSiteSpace);
  if (!row) throw invalid('defaultSiteSpace', `site space ${defaultSiteSpace} is not of this site`);
  const { section } = row;
  const fields = { default_site_space: row.id };
  if (section === null) return updateSiteRow(context, site.id, fields);
  // Where there are sections, what the site opens with is the default of its default section.
  updatePart(context, 'site-section', { id: section, fields });
  updateSiteRow(context, site.id, { default_section: section });
}

/** An organization whose default content the site was has none then. */
function forgetDefaultContent(context: PlatformContext, site: SiteRow): void {
  const organization = findOrganization(context, site.organization);
  const settings = settingsOf(organization);
  if (settings.defaultContent?.site !== site.id) return;
  const changed = { settings: JSON.stringify({ ...settings, defaultContent: undefined }) };
  context.db.run(context.db.sql.updateTable('organizations').set(changed).where('id', '=', organization.id));
}

export const siteHandlers = {
  listSites: (context, { path, query, caller }) => {
    const { space, title, published } = query;
    const rows = sitesOfOrganization(context, path.organizationId, { space, title, published });
    const list = ['listSites', path.organizationId, space ?? '', title ?? '', String(published)];
    return arrayPage({ list, query }, rows, {
      key: (site) => String(site.seq).padStart(SEQ_WIDTH, '0'),
      item: (site) => showSite({ context, site, caller, shareKey: undefined }),
    });
  },

  createSite: (context, request) => {
    const { path, body, caller } = request;
    const spaces = firstSpaces(context, request);
    const { type = 'basic', title = titleFrom(spaces), visibility = 'public' } = body;
    const id = insertSite(context, { organization: path.organizationId, type, title, visibility });
    for (const space of spaces) insertSiteSpace(context, { site: id, section: null }, space);
    return siteAnswer(context, { path: { ...path, siteId: id }, caller });
  },

  getSite: (context, request) => siteAnswer(context, request),

  deleteSite: (context, { path }) => {
    const site = findSite(context, path);
    forgetDefaultContent(context, site);
    context.db.run(context.db.sql.deleteFrom('sites').where('id', '=', site.id));
    return undefined;
  },

  updateSite: (context, request) => {
    const site = findSite(context, request.path);
    const { title, visibility, basename, proxy, adaptiveContent } = request.body;
    demandFreeBasename(context, site, basename);
    const enabled = adaptiveContent?.enabled;
    const adaptive_enabled = enabled === undefined ? undefined : Number(enabled);
    updateSiteRow(context, site.id, defined({ title, visibility, basename, proxy, adaptive_enabled }));
    setDefaults(context, request);
    return siteAnswer(context, request);
  },

  getPublishedSite: (context, request) => {
    const view = viewOf(context, request);
    if (view.site.published === 0) throw notFound('Published site', view.site.id);
    return showPublishedSite(view);
  },
} satisfies Handlers;
