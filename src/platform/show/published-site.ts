import type { AnswerOf } from '../../contract/index.ts';
import { readStructure, type PlacedGroup, type PlacedSection } from '../store/site-structure.ts';
import { seenBy, showSection, showSectionGroup, showSite, showSiteSpace, type SiteView } from './sites.ts';

type PublishedSite = AnswerOf<'getPublishedSite'>;

const PRIMARY = '#346ddb';
const INFO = '#787878';
const SUCCESS = '#008847';
const WARNING = '#fe9a00';
const DANGER = '#fb2c36';

/** What readers of the site get. No operation changes the looks of a site, so all have the same. */
export function showPublishedSite(view: SiteView): PublishedSite {
  return {
    object: 'published-content-site',
    site: showSite(view),
    structure: structureOf(view),
    customizations: { site: looksOf(view.site.title), siteSpaces: {} },
    scripts: [],
  };
}

function structureOf(view: SiteView): PublishedSite['structure'] {
  const { root, sections, groups } = readStructure(view.context, view.site);
  // A group without sections shows nothing, so it hides nothing either.
  if (root.length > 0 || (sections.length === 0 && groups.length === 0)) {
    return { type: 'siteSpaces', structure: seenBy(view, root).map((siteSpace) => showSiteSpace(view, siteSpace)) };
  }
  // Groups and the sections outside of groups share one order.
  const top: { position: string; shown: ReturnType<typeof showSection> | ReturnType<typeof showSectionGroup> }[] = [
    ...sections
      .filter((section) => section.section_group === null)
      .map((section: PlacedSection) => ({ position: section.position, shown: showSection(view, section) })),
    ...groups.map((group: PlacedGroup) => ({ position: group.position, shown: showSectionGroup(view, group) })),
  ];
  top.sort((a, b) => (a.position < b.position ? -1 : 1));
  return { type: 'sections', structure: top.map(({ shown }) => shown) };
}

function looksOf(title: string): NonNullable<PublishedSite['customizations']['site']> {
  return {
    title,
    styling: {
      theme: 'clean',
      primaryColor: sameInBoth(PRIMARY),
      tint: { color: sameInBoth(PRIMARY) },
      infoColor: sameInBoth(INFO),
      successColor: sameInBoth(SUCCESS),
      warningColor: sameInBoth(WARNING),
      dangerColor: sameInBoth(DANGER),
      corners: 'rounded',
      links: 'default',
      font: 'Inter',
      icons: 'regular',
      sidebar: { background: 'default', list: 'default' },
      search: 'prominent',
    },
    internationalization: { locale: 'en' },
    favicon: {},
    header: { links: [] },
  };
}

function sameInBoth(color: string): { light: string; dark: string } {
  return { light: color, dark: color };
}
