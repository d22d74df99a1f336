import type { PlatformContext } from '../context.ts';

/** A section that answers a search; the lower the rank, the better. */
export interface FoundSection {
  space: string;
  page: string;
  ordinal: number;
  rank: number;
}

/** Sections of one page or one space, the best first, and the rank of the best. */
export interface FoundGroup {
  id: string;
  rank: number;
  sections: FoundSection[];
}

// A word that stands everywhere would otherwise rank every section of an organization.
const MOST_SECTIONS = 5000;
const TITLE_WEIGHT = 8;

/** The best sections of these spaces in which every word of the query stands; the last word may be unfinished. */
export function findSections(context: PlatformContext, spaces: readonly string[], query: string): FoundSection[] {
  const match = matchOf(query);
  if (match === '' || spaces.length === 0) return [];
  return context.db
    .prepare<FoundSection>(
      `select s.space, s.page, s.ordinal, bm25(search_text, ${TITLE_WEIGHT}, 1) as rank
       from search_text join search_sections s on s.id = search_text.rowid
       where search_text match ? and s.space in (select value from json_each(?))
       order by rank, s.id limit ${MOST_SECTIONS}`,
    )
    .all(match, JSON.stringify(spaces));
}

/** Groups in the order of their best sections; ties by id, so that the order is the same each time. */
export function groupFound(found: readonly FoundSection[], idOf: (section: FoundSection) => string): FoundGroup[] {
  const groups = new Map<string, FoundGroup>();
  for (const section of found) {
    const id = idOf(section);
    const group = groups.get(id) ?? { id, rank: section.rank, sections: [] };
    group.sections.push(section);
    groups.set(id, group);
  }
  return [...groups.values()].toSorted((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1));
}

/** True when the group stands after the key of a page token. */
export function isAfter(group: FoundGroup, after: readonly (string | number)[] | null): boolean {
  if (after === null) return true;
  const [rank, id] = [Number(after[0]), String(after[1])];
  return group.rank > rank || (group.rank === rank && group.id > id);
}

// Words alone: nothing of what people type is read as the query language of the index.
function matchOf(query: string): string {
  const words = query.match(/[\p{L}\p{M}\p{N}\p{Co}]+/gu) ?? [];
  return words.map((word, index) => `"${word}"${index === words.length - 1 ? '*' : ''}`).join(' ');
}
