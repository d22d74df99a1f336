// Words as people type them, looked up in the full-text tables: pages and comments of the last sealed snapshot.
import { UNSPACED_LETTER, type Pieces } from '../../base/index.ts';
import type { KindName } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';
import type { SearchTableName } from '../search/search.ts';
import { excerptOf, type Wanted } from './excerpt.ts';
import { holding, indexedIn, instrSql } from './find-inside.ts';

/** One hit. In `excerpt` the words stand between \u0001 and \u0002. */
export interface Found {
  readonly kind: KindName;
  readonly key: string;
  readonly id: string;
  /** Id of its space. */
  readonly space: string | null;
  readonly title: string;
  readonly excerpt: string;
}

const MOST_WORDS = 12;

interface Searched {
  readonly table: SearchTableName;
  /** Column that names a hit, and the one that the excerpt is taken from. */
  readonly title: string;
  readonly text: string;
  /** A word in a title weighs more than one in a text. */
  readonly weights: string;
}

const TABLES = {
  pages: { table: 'pages_search', title: 'title', text: 'markdown', weights: '8.0, 3.0, 1.0' },
  comments: { table: 'comments_search', title: 'posted_by', text: 'markdown', weights: '1.0, 2.0' },
} as const satisfies Record<string, Searched>;

interface Search {
  readonly text: string;
  readonly among: keyof typeof TABLES;
  readonly limit: number;
}

/** Pages or comments in which every word stands, the last one perhaps unfinished, best first; none without a word. */
export function* findText(mirror: Mirror, { text, among, limit }: Search): Pieces<Found[]> {
  const { match, wanted, inside } = wordsOf(text);
  if (match !== null) return yield* findIndexed(mirror, TABLES[among], { match, wanted, inside, limit });
  return inside.length === 0 ? [] : yield* findInside(mirror, TABLES[among], { inside, limit });
}

interface Words {
  /** What the index is asked for; null where it knows none of the words. */
  readonly match: string | null;
  /** The words in it. */
  readonly wanted: Wanted;
  /** What is looked for in the texts themselves. */
  readonly inside: readonly string[];
}

function wordsOf(text: string): Words {
  const all = (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).slice(0, MOST_WORDS);
  // To the index, all that such letters write in one piece is a single word.
  const words = all.filter((word) => !UNSPACED_LETTER.test(word));
  const last = all.at(-1);
  const isLastBegun = last !== undefined && words.includes(last);
  // Each in quotes, so that nothing of it is an operator.
  const match = words.length === 0 ? null : words.map((word) => `"${word}"`).join(' ') + (isLastBegun ? ' *' : '');
  return { match, wanted: { words, isLastBegun }, inside: all.filter((word) => UNSPACED_LETTER.test(word)) };
}

function* findIndexed(
  mirror: Mirror,
  searched: Searched,
  { match, wanted, inside, limit }: Words & { readonly match: string; readonly limit: number },
): Pieces<Found[]> {
  const { table, title, text, weights } = searched;
  const most = inside.length === 0 ? limit : -1;
  const ranked = mirror.store
    .prepare<{ rowid: number }>(
      `select rowid from ${table} where ${table} match ? and rank match 'bm25(${weights})' order by rank limit ?`,
    )
    .all(match, most)
    .map(({ rowid }) => rowid);
  const best = inside.length === 0 ? ranked : yield* amongRanked(mirror, searched, { ranked, inside, limit });
  const shown = mirror.store.prepare<Omit<Found, 'excerpt'> & { text: string | null }>(
    `select r.kind, r.key, r.id, r.space, coalesce(nullif(trim(${table}.${title}), ''), r.id) as title, ${table}.${text} as text
     from ${table}_source ${table} join versions v on v.vid = ${table}.vid join resources r on r.rid = v.rid
     where ${table}.vid = ?`,
  );
  const found: Found[] = [];
  // One after the other: the text of each may be large.
  for (const rowid of best) {
    const row = shown.get(rowid);
    if (row === undefined) continue;
    const { text: whole, ...hit } = row;
    found.push({ ...hit, excerpt: excerptOf(whole ?? '', wanted) });
    yield;
  }
  return found;
}

function* amongRanked(
  mirror: Mirror,
  { table, title }: Searched,
  { ranked, inside, limit }: Pick<Words, 'inside'> & { readonly ranked: readonly number[]; readonly limit: number },
): Pieces<number[]> {
  const found = yield* holding(mirror, { table, title, inside }, { vids: ranked, most: limit });
  return found.map(({ vid }) => vid);
}

const BEFORE = 30;
const EXCERPT = 90;

/** Looks through the texts of all that is indexed; those first that have the first word in their title. */
function* findInside(
  mirror: Mirror,
  searched: Searched,
  { inside, limit }: Pick<Words, 'inside'> & { readonly limit: number },
): Pieces<Found[]> {
  const { table, title, text } = searched;
  const [first = ''] = inside;
  const all = yield* holding(mirror, { table, title, inside }, { vids: indexedIn(mirror, table) });
  const best = [...all.filter(({ titled }) => titled === 1), ...all.filter(({ titled }) => titled === 0)];
  const rows = mirror.store
    .prepare<Omit<Found, 'excerpt'> & { opening: string | null; at: number | null }>(
      `select r.kind, r.key, r.id, r.space, coalesce(nullif(trim(${table}.${title}), ''), r.id) as title, ${instrSql(`${table}.${text}`)} as at,
        substr(${table}.${text}, max(1, ${instrSql(`${table}.${text}`)} - ${BEFORE}), ${EXCERPT}) as opening
       from json_each(?) j cross join ${table}_source ${table} on ${table}.vid = j.value
       join versions v on v.vid = ${table}.vid join resources r on r.rid = v.rid order by j.key`,
    )
    .all(first, first, JSON.stringify(best.slice(0, limit).map(({ vid }) => vid)));
  return rows.map(({ opening, at, ...hit }) => ({ ...hit, excerpt: marked(opening ?? '', at ?? 0, first) }));
}

/** A piece of text that begins up to `BEFORE` letters before what was found at `at`, with marks around that. */
function marked(opening: string, at: number, word: string): string {
  if (at === 0) return opening;
  const letters = Array.from(opening);
  const start = Math.min(at - 1, BEFORE);
  const end = start + Array.from(word).length;
  const [before, found, after] = [letters.slice(0, start), letters.slice(start, end), letters.slice(end)];
  return `${at > BEFORE + 1 ? '…' : ''}${before.join('')}\u0001${found.join('')}\u0002${after.join('')}`;
}
