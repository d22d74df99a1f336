// What a site consists of, in the order in which people see it: sections, some of them in groups, each with its site spaces;
// or site spaces alone. Exactly one section, and one site space of each section or of the root, is the default.
import { groupBy } from '../../base/index.ts';
import type { PlatformContext } from '../context.ts';
import type { SectionGroupRow, SectionRow, SiteRow, SiteSpaceRow } from './site-tables.ts';
import { spacesOfSite, type CountedSpace } from './spaces.ts';

export interface PlacedSiteSpace extends SiteSpaceRow {
  /** Positions from the root joined by `/`: sorts as people see it. */
  place: string;
  isDefault: boolean;
  counted: CountedSpace;
  /** Path of the section; null at the root. */
  sectionPath: string | null;
}

export interface PlacedSection extends SectionRow {
  place: string;
  isDefault: boolean;
  siteSpaces: PlacedSiteSpace[];
}

export interface PlacedGroup extends SectionGroupRow {
  sections: PlacedSection[];
}

export interface SiteStructure {
  /** Site spaces outside of sections; a site that has sections has none. */
  root: PlacedSiteSpace[];
  sections: PlacedSection[];
  groups: PlacedGroup[];
}

type Store = Pick<PlatformContext, 'db'>;

/** Entries of deleted spaces are left out; they come back with the space. */
export function readStructure(context: Store, site: SiteRow): SiteStructure {
  const groups = groupRows(context, site.id);
  const places = new Map(groups.map((group) => [group.id, `${group.position}/`]));
  const sections = sectionRows(context, site.id)
    .map((row) => ({ ...row, place: `${places.get(row.section_group ?? '') ?? ''}${row.position}` }))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1));
  const visible = visibleSiteSpaces(context, site.id);
  const first = chosen(sections, site.default_section);
  const placed = sections.map((row) => ({
    ...row,
    isDefault: row === first,
    siteSpaces: placeSiteSpaces(visible.get(row.id) ?? [], row),
  }));
  const inGroup = groupBy(placed, (section) => section.section_group);
  return {
    root: placeSiteSpaces(visible.get(null) ?? [], { ...site, path: null, place: null }),
    sections: placed,
    groups: groups.map((group) => ({ ...group, sections: inGroup.get(group.id) ?? [] })),
  };
}

/** Every site space of a site in order. */
export function allSiteSpaces({ root, sections }: SiteStructure): PlacedSiteSpace[] {
  return [...root, ...sections.flatMap((section) => section.siteSpaces)];
}

/** The one that people chose, or the first. */
function chosen<Row extends { id: string }>(rows: readonly Row[], id: string | null): Row | undefined {
  return rows.find((row) => row.id === id) ?? rows[0];
}

type VisibleSiteSpace = SiteSpaceRow & { counted: CountedSpace };

function placeSiteSpaces(
  rows: readonly VisibleSiteSpace[],
  owner: { default_site_space: string | null; path: string | null; place: string | null },
): PlacedSiteSpace[] {
  const first = chosen(rows, owner.default_site_space);
  return rows.map((row) => ({
    ...row,
    place: owner.place === null ? row.position : `${owner.place}/${row.position}`,
    isDefault: row === first,
    sectionPath: owner.path,
  }));
}

function visibleSiteSpaces(context: Store, site: string): Map<string | null, VisibleSiteSpace[]> {
  const spaces = new Map(spacesOfSite(context, site).map((space) => [space.id, space]));
  const rows = context.db
    .prepare<SiteSpaceRow>('select * from site_spaces where site = ? order by position')
    .all(site)
    .flatMap((row) => {
      const counted = spaces.get(row.space);
      return counted ? [{ ...row, counted }] : [];
    });
  return groupBy(rows, (row) => row.section);
}

function groupRows(context: Store, site: string): SectionGroupRow[] {
  return context.db
    .prepare<SectionGroupRow>('select * from site_section_groups where site = ? order by position')
    .all(site);
}

function sectionRows(context: Store, site: string): SectionRow[] {
  return context.db.prepare<SectionRow>('select * from site_sections where site = ?').all(site);
}
