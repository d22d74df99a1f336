// The parts of a site by id: sections, groups and site spaces.
import { notFound } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import type { SectionGroupRow, SectionRow, SiteSpaceRow } from './site-tables.ts';

const TABLES = {
  'site-section': 'site_sections',
  'site-section-group': 'site_section_groups',
  'site-space': 'site_spaces',
} as const;
const NAMES = {
  'site-section': 'Site section',
  'site-section-group': 'Site section group',
  'site-space': 'Site space',
};

type PartRows = { 'site-section': SectionRow; 'site-section-group': SectionGroupRow; 'site-space': SiteSpaceRow };
export type PartType = keyof PartRows;

/** A part of the site by its id; undefined when the site has none such. */
export function partOf<T extends PartType>(
  context: PlatformContext,
  type: T,
  at: { site: string; id: string },
): PartRows[T] | undefined {
  const statement = `select * from ${TABLES[type]} where site = ? and id = ?`;
  return context.db.prepare<PartRows[T]>(statement).get(at.site, at.id);
}

/** As partOf, for an id of the path: 404 when it is not there. */
export function findPart<T extends PartType>(
  context: PlatformContext,
  type: T,
  at: { site: string; id: string },
): PartRows[T] {
  const row = partOf(context, type, at);
  if (!row) throw notFound(NAMES[type], at.id);
  return row;
}

export function updatePart<T extends PartType>(
  context: PlatformContext,
  type: T,
  change: { id: string; fields: Partial<PartRows[T]> },
): void {
  const columns = Object.keys(change.fields).map((name) => `${name} = @${name}`);
  if (columns.length === 0) return;
  const statement = `update ${TABLES[type]} set ${columns.join(', ')} where id = @id`;
  context.db.prepare(statement).run({ ...change.fields, id: change.id });
}

export function deletePart(context: PlatformContext, type: PartType, id: string): void {
  context.db.prepare(`delete from ${TABLES[type]} where id = ?`).run(id);
}
