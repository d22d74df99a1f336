// Words as people type them, looked up in the full-text tables: pages and comments of the last sealed snapshot.
import type { KindName } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';

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
  readonly table: string;
  /** Column that names a hit. */
  readonly title: string;
  /** Place of the column that the excerpt is taken from. */
  readonly column: number;
  /** A word in a title weighs more than one in a text. */
  readonly weights: string;
}

const TABLES = {
  pages: { table: 'pages_search', title: 'title', column: 2, weights: '8.0, 3.0, 1.0' },
  comments: { table: 'comments_search', title: 'posted_by', column: 0, weights: '1.0, 2.0' },
} as const satisfies Record<string, Searched>;

/** Pages or comments in which every word stands, the last one perhaps unfinished, best first; none without a word. */
export function findText(
  mirror: Mirror,
  { text, among, limit }: { text: string; among: keyof typeof TABLES; limit: number },
): Found[] {
  const match = matchOf(text);
  if (match === null) return [];
  const { table, title, column, weights } = TABLES[among];
  const best = mirror.store
    .prepare<{ rowid: number }>(
      `select rowid from ${table} where ${table} match ? and rank match 'bm25(${weights})' order by rank limit ?`,
    )
    .all(match, limit)
    .map(({ rowid }) => rowid);
  // Excerpts are cut for those that are shown, not for all that are found. The numbers stand in the SQL, behind a plus: bound, they
  // would be no whole numbers to the index, which then takes every row; without the plus it would gather all matches for each.
  const found = mirror.store.driver
    .prepare<[string], Found & { rowid: number }>(
      `select ${table}.rowid, r.kind, r.key, r.id, r.space, coalesce(${table}.${title}, r.id) as title,
        coalesce(snippet(${table}, ${column}, char(1), char(2), '…', 24), '') as excerpt
       from ${table} join versions v on v.vid = ${table}.rowid join resources r on r.rid = v.rid
       where ${table} match ? and +${table}.rowid in (${best.map(Math.trunc).join(', ')})`,
    )
    .all(match);
  const byRow = new Map(found.map(({ rowid, ...hit }) => [rowid, hit]));
  return best.flatMap((rowid) => byRow.get(rowid) ?? []);
}

/** Each word in quotes, so that nothing of it is an operator. */
function matchOf(text: string): string | null {
  const words = (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).slice(0, MOST_WORDS);
  return words.length === 0 ? null : `${words.map((word) => `"${word}"`).join(' ')} *`;
}
