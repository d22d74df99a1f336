// Full-text search: pages in which every word stands, the last one perhaps unfinished, with the sections that hold the words. Each
// text is cut into its sections and words, so a large mirror takes minutes: it is done in pieces.
import { isRecord, type Pieces } from '../base/index.ts';
import type { Resource, SnapshotReader } from '../mirror/index.ts';
import { openingOf, queryPhrases, sectionsOf } from '../document/index.ts';
import { withoutTitle } from './content.ts';
import type { Body } from './show.ts';
import { need, type View } from './view.ts';

/** Pages of a space that hold the words, those first that name them in their titles. */
export function* searchSpace(view: View, space: string, query: string): Pieces<Body[]> {
  need(view, 'space', space);
  return yield* pagesFound(view, space, phrasesOf(query));
}

/** Spaces of an organization with the pages of each. */
export function* searchOrganization(view: View, organization: string, query: string): Pieces<Body[]> {
  need(view, 'organization', organization);
  const phrases = phrasesOf(query);
  const found: Body[] = [];
  // A loop over rows keeps their state of the database open: it is ended before the first piece.
  const spaces = [...view.reader.resources('space')].filter(({ body }) => body['organization'] === organization);
  for (const space of spaces) {
    const pages = (yield* pagesFound(view, space.id, phrases)).slice(0, MOST_PAGES);
    if (pages.length > 0) found.push({ id: space.id, title: space.body['title'], pages });
    // Small ones have no piece of their own.
    yield;
  }
  return found;
}

const MOST_PAGES = 20;

/** Words one after the other, as the query has them in one piece. */
type Phrase = readonly string[];

function phrasesOf(query: string): Phrase[] {
  return queryPhrases(query).map((words) => words.map(folded));
}

function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

// About as much as is cut into words in some tens of milliseconds.
const PIECE_LENGTH = 65_536;

function* pagesFound({ reader }: View, space: string, phrases: readonly Phrase[]): Pieces<Body[]> {
  if (phrases.length === 0) return [];
  const found: { page: Body; rank: number }[] = [];
  let looked = 0;
  for (const key of keysOfDocuments(reader, space)) {
    const page = reader.one('page', key);
    if (page === undefined) continue;
    looked += page.text?.length ?? 0;
    if (looked >= PIECE_LENGTH) {
      looked = 0;
      yield;
    }
    const sections = sectionsFound(page, phrases);
    if (sections.length === 0) continue;
    const { id, title, path, urls } = page.body;
    const rank = isWhole(wordsOf(String(title)), phrases) ? 0 : 1;
    found.push({ rank, page: { id, title, path, sections, ...(urls === undefined ? {} : { urls }) } });
  }
  return found.toSorted((a, b) => a.rank - b.rank).map(({ page }) => page);
}

function keysOfDocuments(reader: SnapshotReader, space: string): string[] {
  const all = [...reader.outline('page', space)].filter(({ holds }) => holds);
  return all.flatMap(({ key, body }) => (body['type'] === 'link' || body['type'] === 'group' ? [] : [key]));
}

/** Sections that hold every phrase; where none does and the page has them in several, those that hold some. */
function sectionsFound({ body, text, id }: Resource, phrases: readonly Phrase[]): Body[] {
  const [title, path] = [String(body['title']), String(body['path'])];
  const sections = sectionsOf(withoutTitle(text ?? '')).map((section) => {
    const named = section.title === '' ? title : section.title;
    return { ...section, title: named, words: wordsOf(`${named} ${section.text}`) };
  });
  const whole = sections.filter(({ words }) => isWhole(words, phrases));
  const isApart = phrases.every((_, i) => sections.some(({ words }) => holds(words, phrases, i)));
  const some = isApart ? sections.filter(({ words }) => phrases.some((_, i) => holds(words, phrases, i))) : [];
  const app = isRecord(body['urls']) ? body['urls']['app'] : undefined;
  return (whole.length > 0 ? whole : some).map((section) => {
    const anchor = section.anchor === '' ? '' : `#${section.anchor}`;
    const shown = { id: `${id}${anchor}`, title: section.title, path: `${path}${anchor}`, body: openingOf(section) };
    return typeof app === 'string' ? { ...shown, urls: { app: `${app}${anchor}` } } : shown;
  });
}

function wordsOf(text: string): string[] {
  return queryPhrases(text).flat().map(folded);
}

function isWhole(words: readonly string[], phrases: readonly Phrase[]): boolean {
  return phrases.every((_, i) => holds(words, phrases, i));
}

/** True when the phrase stands among the words; the last word of the query may be the beginning of one. */
function holds(words: readonly string[], phrases: readonly Phrase[], index: number): boolean {
  const phrase = phrases[index] ?? [];
  const isUnfinished = (i: number): boolean => index === phrases.length - 1 && i === phrase.length - 1;
  const fits = (from: number): boolean =>
    phrase.every((word, i) => (isUnfinished(i) ? words[from + i]?.startsWith(word) : words[from + i] === word));
  return words.some((_, from) => fits(from));
}
