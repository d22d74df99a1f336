// Words looked for in the texts themselves: of scripts without spaces between words the index knows none. Looking through all texts
// of a large mirror takes seconds, so it is done in pieces.
import type { Pieces } from '../../base/index.ts';
import type { Mirror } from '../database/database.ts';
import { wordColumns, type SearchTableName } from '../search/search.ts';

/** What is looked through. */
export interface Looked {
  readonly table: SearchTableName;
  readonly title: string;
  /** Words that all have to stand in what is found. */
  readonly inside: readonly string[];
}

export interface Holding {
  readonly vid: number;
  /** 1 where the first word stands in its title. */
  readonly titled: 0 | 1;
}

// Texts of some kilobytes each: some tens of milliseconds.
const AT_ONCE = 500;

/** Which of these versions hold the words, in their order; of many no more than `most`. */
export function* holding(
  { store }: Mirror,
  { table, title, inside }: Looked,
  { vids, most = Infinity }: { readonly vids: readonly number[]; readonly most?: number },
): Pieces<Holding[]> {
  const columns = wordColumns(table);
  const holds = columns.map((column) => `${instrSql(`${table}.${column}`)} > 0`).join(' or ');
  const rows = store.prepare<Holding>(
    `select ${table}.vid, ${instrSql(`${table}.${title}`)} > 0 as titled from json_each(?) j cross join ${table}_source ${table}
     on ${table}.vid = j.value where ${inside.map(() => `(${holds})`).join(' and ')} order by j.key`,
  );
  const words = inside.flatMap((word) => columns.map(() => word));
  const found: Holding[] = [];
  for (let at = 0; at < vids.length && found.length < most; at += AT_ONCE) {
    for (const row of rows.all(inside[0] ?? '', JSON.stringify(vids.slice(at, at + AT_ONCE)), ...words))
      found.push(row);
    yield;
  }
  return found.slice(0, most);
}

/** Everything that is indexed, oldest first. */
export function indexedIn({ store }: Mirror, table: SearchTableName): number[] {
  return store
    .prepare<{ id: number }>(`select id from ${table}_docsize order by id`)
    .all()
    .map(({ id }) => id);
}

/** Where a text stands, from 1, 0 for nowhere; letters that such words mix in count in either case, as they do in the index. */
export function instrSql(column: string): string {
  return `instr(lower(${column}), lower(?))`;
}
