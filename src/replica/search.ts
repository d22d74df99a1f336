// Full-text search: pages in which every word stands, the last one perhaps unfinished, with the sections that hold the words.
import type { Resource } from '../mirror/index.ts';
import { openingOf, sectionsOf } from '../document/index.ts';
import { withoutTitle } from './content.ts';
import type { Body } from './show.ts';
import { need, type View } from './view.ts';

/** Pages of a space that hold the words, those first that name them in their titles. */
export function searchSpace(view: View, space: string, query: string): Body[] {
  need(view, 'space', space);
  return pagesFound(view, space, wordsOf(query));
}

/** Spaces of an organization with the pages of each. */
export function searchOrganization(view: View, organization: string, query: string): Body[] {
  need(view, 'organization', organization);
  const words = wordsOf(query);
  const found: Body[] = [];
  for (const space of view.reader.resources('space')) {
    if (space.body['organization'] !== organization) continue;
    const pages = pagesFound(view, space.id, words).slice(0, MOST_PAGES);
    if (pages.length > 0) found.push({ id: space.id, title: space.body['title'], pages });
  }
  return found;
}

const MOST_PAGES = 20;

function wordsOf(query: string): string[] {
  return (query.match(/[\p{L}\p{M}\p{N}\p{Co}]+/gu) ?? []).map(folded);
}

function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

function pagesFound({ reader }: View, space: string, words: readonly string[]): Body[] {
  if (words.length === 0) return [];
  const found: { page: Body; rank: number }[] = [];
  for (const page of reader.resources('page', space)) {
    if (page.body['type'] === 'link' || page.body['type'] === 'group') continue;
    const sections = sectionsFound(page, words);
    if (sections.length === 0) continue;
    const { id, title, path, urls } = page.body;
    const rank = matches(String(title), words) ? 0 : 1;
    found.push({ rank, page: { id, title, path, sections, ...(urls === undefined ? {} : { urls }) } });
  }
  return found.toSorted((a, b) => a.rank - b.rank).map(({ page }) => page);
}

function sectionsFound({ body, text, id }: Resource, words: readonly string[]): Body[] {
  const [title, path] = [String(body['title']), String(body['path'])];
  const sections = sectionsOf(withoutTitle(text ?? ''));
  return sections
    .filter((section) => matches(`${section.title === '' ? title : section.title} ${section.text}`, words))
    .map((section) => {
      const anchor = section.anchor === '' ? '' : `#${section.anchor}`;
      return {
        id: `${id}${anchor}`,
        title: section.title === '' ? title : section.title,
        path: `${path}${anchor}`,
        body: openingOf(section),
      };
    });
}

/** Every word stands in the text as a whole one; the last may be the beginning of one. */
function matches(text: string, words: readonly string[]): boolean {
  const there = wordsOf(text);
  return words.every((word, i) => there.some((one) => (i === words.length - 1 ? one.startsWith(word) : one === word)));
}
