import { queryPhrases } from '../../document/index.ts';
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
/** More than any rank that words earn: puts sections of one kind behind all others. */
const BEHIND = 1_000_000;

const FOUND = `select s.space, s.page, s.ordinal, bm25(search_text, ${TITLE_WEIGHT}, 1) as rank
  from search_text join search_sections s on s.id = search_text.rowid
  where search_text match @match and s.space in (select value from json_each(@spaces))`;
const BEST = `order by rank, s.id limit ${MOST_SECTIONS}`;
// The pages on which each of several matches has a section of its own.
const ON_EVERY = `and s.page in (
  select page from json_each(@each) m join search_text on search_text match m.value
    join search_sections s on s.id = search_text.rowid
  where s.space in (select value from json_each(@spaces)) group by page having count(distinct m.key) = json_array_length(@each))`;

/**
 * The best sections of these spaces on pages on which every word of the query stands: first sections that hold them all, then those
 * that hold some, of pages that have them in several. The last word may be unfinished.
 */
export function findSections(context: PlatformContext, spaces: readonly string[], query: string): FoundSection[] {
  const words = matchesOf(query);
  if (words.length === 0 || spaces.length === 0) return [];
  const among = { spaces: JSON.stringify(spaces) };
  const together = context.db.prepare<FoundSection>(`${FOUND} ${BEST}`).all({ ...among, match: words.join(' ') });
  if (words.length === 1) return together;
  const whole = new Set(together.map(({ page }) => page));
  const apart = context.db
    .prepare<FoundSection>(`${FOUND} ${ON_EVERY} ${BEST}`)
    .all({ ...among, match: words.join(' OR '), each: JSON.stringify(words) });
  const further = apart.filter(({ page }) => !whole.has(page));
  return [...together, ...further.map((section) => ({ ...section, rank: section.rank + BEHIND }))];
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

/** Phrases alone: nothing of what people type is read as the query language of the index. */
function matchesOf(query: string): string[] {
  const phrases = queryPhrases(query).map((words) => `"${words.join(' ')}"`);
  const last = phrases.pop();
  return last === undefined ? [] : [...new Set(phrases), `${last}*`];
}
