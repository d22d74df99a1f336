// Full text over pages and comments (FTS5). The words are indexed; the text itself is read from the versions, so nothing is
// stored twice. The index moves when a snapshot is sealed, so that it never shows half a walk.
import type { Mirror } from './database.ts';

interface SearchTable {
  readonly name: string;
  readonly kinds: readonly string[];
  readonly columns: Readonly<Record<string, string>>;
}

const tables: readonly SearchTable[] = [
  {
    name: 'pages_search',
    kinds: ['page'],
    columns: {
      title: `json_extract(b.data, '$.title')`,
      description: `json_extract(b.data, '$.description')`,
      markdown: 't.data',
      id: 'r.id',
      space: `json_extract(r.params, '$.spaceId')`,
      path: `json_extract(b.data, '$.path')`,
    },
  },
  {
    name: 'comments_search',
    kinds: ['comment', 'change-request-comment', 'comment-reply', 'change-request-comment-reply'],
    columns: {
      markdown: `json_extract(b.data, '$.body.markdown')`,
      posted_by: `json_extract(b.data, '$.postedBy.displayName')`,
      id: 'r.id',
      space: `json_extract(r.params, '$.spaceId')`,
    },
  },
];

const UNINDEXED = new Set(['id', 'space', 'path']);
const SOURCE = `versions v join resources r on r.rid = v.rid join bodies b on b.bid = v.body left join bodies t on t.bid = v.text`;

function selectFrom(table: SearchTable): string {
  const list = Object.entries(table.columns).map(([name, expression]) => `${expression} as ${name}`);
  const kinds = table.kinds.map((kind) => `'${kind}'`).join(', ');
  return `select v.vid as vid, ${list.join(', ')} from ${SOURCE} where r.kind in (${kinds})`;
}

/** Statements that make the full-text tables. They start empty and are filled when a snapshot is sealed. */
export function searchSql(): string[] {
  return tables.flatMap((table) => {
    const columns = Object.keys(table.columns).map((name) => (UNINDEXED.has(name) ? `${name} unindexed` : name));
    return [
      `drop view if exists ${table.name}_source`,
      `create view ${table.name}_source as ${selectFrom(table)}`,
      `create virtual table if not exists ${table.name} using fts5 (${columns.join(', ')}, content='${table.name}_source', content_rowid='vid', tokenize='unicode61 remove_diacritics 2')`,
    ];
  });
}

/** Takes out what is no longer valid at this snapshot and adds what is new in it. Costs what changed. */
export function moveSearch(mirror: Mirror, snapshot: number, previous: number): void {
  for (const table of tables) {
    const columns = Object.keys(table.columns).join(', ');
    const { driver } = mirror.store;
    driver
      .prepare(
        `insert into ${table.name} (${table.name}, rowid, ${columns}) select 'delete', vid, ${columns} from ${table.name}_source
         where vid in (select vid from versions where valid_to > ? and valid_to <= ? and valid_from <= ?)`,
      )
      .run(previous, snapshot, previous);
    driver
      .prepare(
        `insert into ${table.name} (rowid, ${columns}) select vid, ${columns} from ${table.name}_source
         where vid in (select vid from versions where valid_from > ? and valid_from <= ? and (valid_to is null or valid_to > ?))`,
      )
      .run(previous, snapshot, snapshot);
  }
}
