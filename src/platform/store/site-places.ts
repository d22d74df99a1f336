// The orders of a site, and what arrives in them: sections with groups, sections of a group, site spaces of a place.
import { conflict } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { slugOf, uniqueSlug } from '../import/slug.ts';
import { insertionIndex, positionAtEnd, positionAtIndex, type Sibling, type WantedPlace } from './order.ts';
import { partOf, updatePart, type PartType } from './site-parts.ts';
import type { SectionGroupRow, SectionRow, SiteRow, SiteSpaceRow } from './site-tables.ts';
import { readStructure } from './site-structure.ts';
import { updateSiteRow } from './sites.ts';
import type { SpaceRow } from './tables.ts';

/** Where sections stand: in a group, or beside the groups when `group` is null. */
export interface SectionPlace {
  site: string;
  group: string | null;
}

/** Where site spaces stand: in a section, or at the root of the site when `section` is null. */
export interface SiteSpacePlace {
  site: string;
  section: string | null;
}

export function sectionSiblings(context: PlatformContext, { site, group }: SectionPlace): Sibling<PartType>[] {
  return context.db
    .prepare<Sibling<PartType>>(
      `select id, 'site-section' as type, position, 0 as deleted from site_sections
         where site = @site and section_group is @group
       union all
       select id, 'site-section-group', position, 0 from site_section_groups where site = @site and @group is null
       order by position`,
    )
    .all({ site, group });
}

export function siteSpaceSiblings(context: PlatformContext, place: SiteSpacePlace): Sibling<PartType>[] {
  return context.db
    .prepare<Sibling<PartType>>(
      `select p.id, 'site-space' as type, p.position, c.deleted_at is not null as deleted
       from site_spaces p join spaces c on c.id = p.space where p.site = @site and p.section is @section
       order by p.position`,
    )
    .all({ site: place.site, section: place.section });
}

/**
 * Moves a part among its siblings. 400 for a neighbour that is not there. A move that changes nothing is answered as one that
 * does: the reference knows no 409 here.
 */
export function movePart(
  context: PlatformContext,
  type: PartType,
  move: { id: string; siblings: readonly Sibling[]; wanted: WantedPlace },
): void {
  const others = move.siblings.filter((sibling) => sibling.id !== move.id);
  const position = positionAtIndex(others, insertionIndex(others, move.wanted));
  updatePart(context, type, { id: move.id, fields: { position } });
}

/** Stands behind all others, with a path of its own; the first section of a site is its default. */
export function insertSection(context: PlatformContext, site: SiteRow, title: string): string {
  const id = context.random.id();
  const taken = context.db.prepare<{ path: string }>('select path from site_sections where site = ?').all(site.id);
  const row: SectionRow = {
    id,
    site: site.id,
    section_group: null,
    title,
    description: null,
    path: uniqueSlug(slugOf(title), new Set(taken.map(({ path }) => path))),
    condition: null,
    icon: null,
    position: positionAtEnd(sectionSiblings(context, { site: site.id, group: null })),
    default_site_space: null,
  };
  context.db.run(context.db.sql.insertInto('site_sections').values(row));
  if (taken.length === 0) updateSiteRow(context, site.id, { default_section: id, default_site_space: null });
  return id;
}

/** Adds a space at the end of a place; the first one there is its default. 409 when it stands there already. */
export function insertSiteSpace(context: PlatformContext, place: SiteSpacePlace, space: SpaceRow): string {
  const beside = context.db
    .prepare<SiteSpaceRow>('select * from site_spaces where site = ? and section is ?')
    .all(place.site, place.section);
  if (beside.some((row) => row.space === space.id)) throw conflict(`Space ${space.id} stands there already`);
  const id = context.random.id();
  const row: SiteSpaceRow = {
    id,
    ...place,
    space: space.id,
    path: uniqueSlug(slugOf(space.title), new Set(beside.map(({ path }) => path))),
    condition: null,
    position: positionAtEnd(siteSpaceSiblings(context, place)),
  };
  context.db.run(context.db.sql.insertInto('site_spaces').values(row));
  if (beside.length === 0) setDefaultSiteSpace(context, place, id);
  return id;
}

function setDefaultSiteSpace(context: PlatformContext, place: SiteSpacePlace, id: string | null): void {
  const fields = { default_site_space: id };
  if (place.section === null) updateSiteRow(context, place.site, fields);
  else updatePart(context, 'site-section', { id: place.section, fields });
}

/** An empty group behind all others. */
export function insertGroup(context: PlatformContext, group: Pick<SectionGroupRow, 'site' | 'title' | 'icon'>): string {
  const id = context.random.id();
  const position = positionAtEnd(sectionSiblings(context, { site: group.site, group: null }));
  context.db.run(context.db.sql.insertInto('site_section_groups').values({ id, ...group, position }));
  return id;
}

/** Puts a section behind all others of a place. */
export function placeSection(context: PlatformContext, section: string, place: SectionPlace): void {
  const position = positionAtEnd(sectionSiblings(context, place));
  updatePart(context, 'site-section', { id: section, fields: { section_group: place.group, position } });
}

/**
 * Where the default is gone for good, the first of what is left becomes it, and stays it through moves. One that only hides, as its
 * space is deleted, is the default again once the space comes back.
 */
export function settleDefaults(context: PlatformContext, site: SiteRow): void {
  const { root, sections } = readStructure(context, site);
  const settled = (chosen: string | null, shown: readonly Defaultable[]): string | null =>
    chosen !== null && partOf(context, 'site-space', { site: site.id, id: chosen }) ? chosen : defaultIn(shown);
  const fields = { default_section: defaultIn(sections), default_site_space: settled(site.default_site_space, root) };
  updateSiteRow(context, site.id, fields);
  for (const { id, siteSpaces, default_site_space } of sections) {
    const next = settled(default_site_space, siteSpaces);
    if (next !== default_site_space) setDefaultSiteSpace(context, { site: site.id, section: id }, next);
  }
}

interface Defaultable {
  id: string;
  isDefault: boolean;
}

function defaultIn(rows: readonly Defaultable[]): string | null {
  return rows.find(({ isDefault }) => isDefault)?.id ?? null;
}
