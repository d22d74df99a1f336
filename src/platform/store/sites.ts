import { forbidden, notFound } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import type { ShareLinkRow, SiteRow } from './site-tables.ts';

type Store = Pick<PlatformContext, 'db'>;

/** A site with the number of spaces that it shows, counted when it is read. */
export interface CountedSite extends SiteRow {
  seq: number;
  site_spaces: number;
}

export interface SitePath {
  organizationId: string;
  siteId: string;
}

const COUNTED = `select s.*,
  (select count(*) from site_spaces p join spaces c on c.id = p.space where p.site = s.id and c.deleted_at is null)
    as site_spaces
  from sites s`;

export function findSite(context: Store, path: SitePath): CountedSite {
  const row = context.db
    .prepare<CountedSite>(`${COUNTED} where s.organization = ? and s.id = ?`)
    .get(path.organizationId, path.siteId);
  if (!row) throw notFound('Site', path.siteId);
  return row;
}

export interface SiteFilter {
  /** Only those that show this space. */
  space: string | undefined;
  /** A part of the title. */
  title: string | undefined;
  published: boolean | undefined;
}

/** Sites of an organization, oldest first. */
export function sitesOfOrganization(context: Store, organization: string, filter: SiteFilter): CountedSite[] {
  const { space = null, title = '', published } = filter;
  return context.db
    .prepare<CountedSite>(
      `${COUNTED} where s.organization = @organization and (@space is null or exists (
         select 1 from site_spaces p join spaces c on c.id = p.space
         where p.site = s.id and p.space = @space and c.deleted_at is null))
       and instr(fold(s.title), fold(@title)) > 0 and (@published is null or s.published = @published)
       order by s.seq`,
    )
    .all({ organization, space, title, published: published === undefined ? null : Number(published) });
}

export function updateSiteRow(context: Store, id: string, fields: Partial<SiteRow>): void {
  if (Object.keys(fields).length === 0) return;
  context.db.run(context.db.sql.updateTable('sites').set(fields).where('id', '=', id));
}

/** Takes a site online or offline; 404 for an unknown one. */
export function setPublished(context: Store, id: string, published: boolean): void {
  const change = context.db.sql.updateTable('sites').set({ published: Number(published) });
  if (context.db.run(change.where('id', '=', id)).changes === 0) throw notFound('Site', id);
}

/** The key when it opens the site, undefined when none is given; 403 for one that no active share link of the site has. */
export function openingKey(context: Store, site: SiteRow, key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  const found = context.db
    .prepare<ShareLinkRow>('select * from share_links where site = ? and key = ? and active = 1')
    .get(site.id, key);
  if (!found) throw forbidden('The share key is not that of an active share link');
  return key;
}

/** The site that a share key opens and the space's entry in it; 403 for a key that opens no site with this space. */
export function openedBy(context: Store, space: string, key: string): { site: CountedSite; siteSpace: string } {
  const found = context.db
    .prepare<{ site: string; siteSpace: string }>(
      `select p.site, p.id as siteSpace from share_links l join site_spaces p on p.site = l.site
       where l.key = ? and l.active = 1 and p.space = ? order by p.seq`,
    )
    .get(key, space);
  const site = found && context.db.prepare<CountedSite>(`${COUNTED} where s.id = ?`).get(found.site);
  if (!site) throw forbidden('The share key is not that of an active share link of a site with this space');
  return { site, siteSpace: found.siteSpace };
}
