// Full-text search: pages in which every word stands, the last one perhaps unfinished, with the sections that hold the words, the best
// first. Each text is cut into its sections and words, so a large mirror takes minutes: it is done in pieces.
import { asIndexed, isRecord, type Pieces } from '../base/index.ts';
import type { Resource, SnapshotReader } from '../mirror/index.ts';
import { openingOf, queryPhrases, sectionsOf, type Section } from '../document/index.ts';
import { withoutTitle } from './content.ts';
import { List } from './list.ts';
import { ranking, TITLE_WEIGHT, type Corpus, type Hit } from './rank.ts';
import type { Body } from './show.ts';
import { need, told, type View } from './view.ts';

/** Pages of a space that hold the words. */
export function* searchSpace(view: View, space: string, query: string): Pieces<List> {
  need(view, 'space', space);
  const search = searchFor(view, query);
  told(view, { kind: 'page', within: space }, keysOfDocuments(view.reader, space));
  const pages = ranked(yield* pagesFound(search, space), search.corpus);
  return new List(pages.length, (index) => shownPage(view, pages[index]), { isCostly: true });
}

/** Spaces of an organization with the best pages of each. */
export function* searchOrganization(view: View, organization: string, query: string): Pieces<List> {
  need(view, 'organization', organization);
  const search = searchFor(view, query);
  const found: { space: Resource; pages: Found[] }[] = [];
  // A loop over rows keeps their state of the database open: it is ended before the first piece.
  const spaces = [...view.reader.resources('space')].filter(({ body }) => body['organization'] === organization);
  for (const space of spaces) {
    const pages = yield* pagesFound(search, space.id);
    if (pages.length > 0) found.push({ space, pages });
    // Small ones have no piece of their own.
    yield;
  }
  const best = found
    .map(({ space, pages }) => ({ id: space.id, space, pages: ranked(pages, search.corpus).slice(0, MOST_PAGES) }))
    .toSorted((a, b) => bestFirst(inOrder(a), inOrder(b)));
  const item = (index: number): Body | undefined => {
    const one = best[index];
    return one && { id: one.id, title: one.space.body['title'], pages: one.pages.map((page) => shownPage(view, page)) };
  };
  return new List(best.length, item, { isCostly: true });
}

const MOST_PAGES = 20;

/** Words one after the other, as the query has them in one piece. */
type Phrase = readonly string[];

interface Search {
  readonly reader: SnapshotReader;
  readonly phrases: readonly Phrase[];
  /** Grows with what is looked through. */
  readonly corpus: Corpus;
}

/** A page that holds every phrase, without its text: a word may stand in all of them. */
interface Found {
  readonly id: string;
  readonly key: string;
  /** Some section holds every phrase by itself. */
  readonly isWhole: boolean;
  readonly hits: readonly Hit[];
}

type Ranked = Found & { readonly rank: number };

function searchFor({ reader }: View, query: string): Search {
  const phrases = phrasesOf(query);
  return { reader, phrases, corpus: { sections: 0, words: 0, holding: phrases.map(() => 0) } };
}

/** Each phrase once, but the last one, whose last word may be unfinished. */
function phrasesOf(query: string): Phrase[] {
  const phrases = queryPhrases(query).map((words) => words.map(asIndexed));
  const first = new Map(phrases.slice(0, -1).map((phrase) => [phrase.join(' '), phrase]));
  return [...first.values(), ...phrases.slice(-1)];
}

// About as much as is cut into words in some tens of milliseconds.
const PIECE_LENGTH = 65_536;

function* pagesFound(search: Search, space: string): Pieces<Found[]> {
  const { reader, phrases } = search;
  if (phrases.length === 0) return [];
  const found: Found[] = [];
  let looked = 0;
  for (const key of keysOfDocuments(reader, space)) {
    const page = reader.one('page', key);
    if (page === undefined) continue;
    looked += page.text?.length ?? 0;
    if (looked >= PIECE_LENGTH) {
      looked = 0;
      yield;
    }
    const hits = hitsIn(page, search);
    const whole = hits.filter(({ times }) => times.every((count) => count > 0));
    const isApart = phrases.every((_, i) => hits.some(({ times }) => (times[i] ?? 0) > 0));
    if (isApart) found.push({ id: page.id, key, isWhole: whole.length > 0, hits: whole.length > 0 ? whole : hits });
  }
  return found;
}

function keysOfDocuments(reader: SnapshotReader, space: string): string[] {
  const all = [...reader.outline('page', space)].filter(({ holds }) => holds);
  return all.flatMap(({ key, body }) => (body['type'] === 'link' || body['type'] === 'group' ? [] : [key]));
}

/** The sections of a page that hold some of the phrases; all of them are counted. */
function hitsIn(page: Resource, { phrases, corpus }: Search): Hit[] {
  return sectionsIn(page).flatMap((section, ordinal) => {
    const [title, text] = [wordsOf(section.title), wordsOf(section.text)];
    const words = title.length + text.length;
    const timesIn = (among: readonly string[], index: number): number =>
      timesOf(among, phrases[index] ?? [], index === phrases.length - 1);
    const times = phrases.map((_, i) => TITLE_WEIGHT * timesIn(title, i) + timesIn(text, i));
    corpus.sections += 1;
    corpus.words += words;
    for (const [i, count] of times.entries()) if (count > 0) corpus.holding[i] = (corpus.holding[i] ?? 0) + 1;
    return times.some((count) => count > 0) ? [{ ordinal, times, words }] : [];
  });
}

/** What stands before the first heading is named by the page. */
function sectionsIn({ body, text }: Resource): Section[] {
  return sectionsOf(withoutTitle(text ?? '')).map((section) =>
    section.title === '' ? { ...section, title: String(body['title']) } : section,
  );
}

function wordsOf(text: string): string[] {
  return queryPhrases(text).flat().map(asIndexed);
}

/** How often the phrase stands among the words; of an unfinished one, the last word may be the beginning of one. */
function timesOf(words: readonly string[], phrase: Phrase, isUnfinished: boolean): number {
  const last = phrase.length - 1;
  const fits = (from: number): boolean =>
    phrase.every((word, i) =>
      isUnfinished && i === last ? words[from + i]?.startsWith(word) : words[from + i] === word,
    );
  return words.reduce((count, _, from) => count + (fits(from) ? 1 : 0), 0);
}

/** The best page first, and of each its best section. */
function ranked(pages: readonly Found[], corpus: Corpus): Ranked[] {
  const rankOf = ranking(corpus);
  return pages
    .map((page) => {
      const hits = page.hits.toSorted((a, b) => rankOf(b) - rankOf(a));
      return { ...page, hits, rank: hits[0] === undefined ? 0 : rankOf(hits[0]) };
    })
    .toSorted(bestFirst);
}

type InOrder = Pick<Ranked, 'id' | 'isWhole' | 'rank'>;

/** A space stands where its best page does. */
function inOrder({ id, pages: [best] }: { readonly id: string; readonly pages: readonly Ranked[] }): InOrder {
  return { id, isWhole: best?.isWhole ?? false, rank: best?.rank ?? 0 };
}

/** Where words stand in several sections comes after all where they stand together; ties by id, so that the order is the same each time. */
function bestFirst(a: InOrder, b: InOrder): number {
  return Number(b.isWhole) - Number(a.isWhole) || b.rank - a.rank || (a.id < b.id ? -1 : 1);
}

/** The page as a result, with its sections that were found. */
function shownPage({ reader }: View, found: Ranked | undefined): Body | undefined {
  const page = found && reader.one('page', found.key);
  if (found === undefined || page === undefined) return undefined;
  const { id, title, path, urls } = page.body;
  const all = sectionsIn(page);
  const sections = found.hits.flatMap(({ ordinal }) => {
    const section = all[ordinal];
    return section ? [shownSection(page, section)] : [];
  });
  return { id, title, path, sections, ...(urls === undefined ? {} : { urls }) };
}

function shownSection({ id, body }: Resource, section: Section): Body {
  const anchor = section.anchor === '' ? '' : `#${section.anchor}`;
  const app = isRecord(body['urls']) ? body['urls']['app'] : undefined;
  const path = `${String(body['path'])}${anchor}`;
  const shown = { id: `${id}${anchor}`, title: section.title, path, body: openingOf(section) };
  return typeof app === 'string' ? { ...shown, urls: { app: `${app}${anchor}` } } : shown;
}
