import type { ShareLink, Site, SiteSection, SiteSectionGroup, SiteSpace } from '../../contract/index.ts';
import type { Caller } from '../access/authorize.ts';
import type { PlatformContext } from '../context.ts';
import { defined } from '../defined.ts';
import {
  allSiteSpaces,
  readStructure,
  type PlacedGroup,
  type PlacedSection,
  type PlacedSiteSpace,
} from '../store/site-structure.ts';
import type { ShareLinkRow, SiteRow } from '../store/site-tables.ts';
import { openedBy, type CountedSite } from '../store/sites.ts';
import { showSpace } from './containers.ts';

/** A site as somebody looks at it. */
export interface SiteView {
  context: PlatformContext;
  site: CountedSite;
  /** Who looks; entries of spaces that must not be seen are left out. */
  caller: Pick<Caller, 'content'>;
  /** The key of an active share link of this site, when the reader has one. */
  shareKey: string | undefined;
}

export function showSite(view: SiteView): Site {
  const { context, site } = view;
  return defined({
    object: 'site' as const,
    id: site.id,
    type: site.type,
    title: site.title,
    basename: site.basename ?? undefined,
    proxy: site.proxy === null ? undefined : { origin: addressOf(context, site), target: site.proxy },
    visibility: site.visibility,
    published: site.published === 1,
    siteSpaces: site.site_spaces,
    createdAt: site.created_at,
    adaptiveContent: site.adaptive_enabled === null ? undefined : { enabled: site.adaptive_enabled === 1 },
    features: [],
    urls: defined({
      location: `${context.url}/v1/orgs/${site.organization}/sites/${site.id}`,
      app: `${context.url}/app/o/${site.organization}/sites/${site.id}`,
      published: publishedUrl(view, []),
    }),
  });
}

export function showSiteSpace(view: SiteView, row: PlacedSiteSpace): SiteSpace {
  return defined({
    object: 'site-space' as const,
    id: row.id,
    path: row.path,
    section: row.section ?? undefined,
    space: showSpace(view.context, row.counted, view.caller.content.of(row.counted)),
    title: row.counted.title,
    default: row.isDefault,
    condition: row.condition ?? undefined,
    urls: defined({ published: publishedUrl(view, pathOf(row)) }),
  });
}

/** Entries of spaces that the caller may see. */
export function seenBy(view: SiteView, rows: readonly PlacedSiteSpace[]): PlacedSiteSpace[] {
  return rows.filter((row) => view.caller.content.of(row.counted) !== null);
}

export function showSection(view: SiteView, row: PlacedSection): SiteSection {
  return defined({
    object: 'site-section' as const,
    id: row.id,
    title: row.title,
    description: row.description ?? undefined,
    default: row.isDefault,
    path: row.path,
    condition: row.condition ?? undefined,
    sectionGroup: row.section_group ?? undefined,
    icon: row.icon ?? undefined,
    siteSpaces: seenBy(view, row.siteSpaces).map((siteSpace) => showSiteSpace(view, siteSpace)),
    urls: defined({ published: publishedUrl(view, [row.path]) }),
  });
}

export function showSectionGroup(view: SiteView, row: PlacedGroup): SiteSectionGroup {
  return defined({
    object: 'site-section-group' as const,
    id: row.id,
    title: row.title,
    icon: row.icon ?? undefined,
    sections: row.sections.map((section) => showSection(view, section)),
  });
}

/** Its address is the only place where the key is told; it holds the key also while the link or the site is off. */
export function showShareLink(context: PlatformContext, site: SiteRow, row: ShareLinkRow): ShareLink {
  return {
    object: 'share-link',
    id: row.id,
    createdAt: row.created_at,
    name: row.name,
    active: row.active === 1,
    urls: { published: withKey(publicAddress(context, site), row.key) },
  };
}

/** Where readers find a space in the site that the key opens; 403 for a key that opens no site with this space. */
export function publishedSpaceUrl(
  context: PlatformContext,
  asked: { space: string; shareKey: string; caller: Caller },
): string | undefined {
  const { shareKey, caller } = asked;
  const { site, siteSpace } = openedBy(context, asked.space, shareKey);
  const row = allSiteSpaces(readStructure(context, site)).find(({ id }) => id === siteSpace);
  return row && publishedUrl({ context, site, caller, shareKey }, pathOf(row));
}

function pathOf(row: PlacedSiteSpace): string[] {
  return row.sectionPath === null ? [row.path] : [row.sectionPath, row.path];
}

/** Where readers find a part of the site; undefined while it is not published, and without the key that it asks for. */
function publishedUrl({ context, site, shareKey }: SiteView, path: readonly string[]): string | undefined {
  if (site.published === 0) return undefined;
  const address = [publicAddress(context, site), ...path.map(encodeURIComponent)].join('/');
  if (site.visibility !== 'share-link') return address;
  return shareKey === undefined ? undefined : withKey(address, shareKey);
}

function withKey(address: string, key: string): string {
  return `${address}?k=${encodeURIComponent(key)}`;
}

function publicAddress(context: PlatformContext, site: SiteRow): string {
  return site.proxy === null ? addressOf(context, site) : `https://${site.proxy}`;
}

function addressOf(context: PlatformContext, site: SiteRow): string {
  return `${context.url}/published/${site.organization}/${encodeURIComponent(site.basename ?? site.id)}`;
}
