// Full text over pages and comments (FTS5). The words are indexed; the text itself is read from the versions, so nothing is
// stored twice. The index moves when a snapshot is sealed, so that it never shows half a walk.
import type { Pieces } from '../../base/index.ts';
import type { Mirror } from '../database/database.ts';
import { jsonSql } from '../bodies/stored-json.ts';
import { holdsAtSql } from '../database/holds-sql.ts';
import { dropFact, setFact } from '../database/meta.ts';
import { wordsSql } from '../database/words-sql.ts';

export type SearchTableName = 'pages_search' | 'comments_search';

interface SearchTable {
  readonly name: SearchTableName;
  readonly kinds: readonly string[];
  readonly columns: Readonly<Record<string, string>>;
}

const tables: readonly SearchTable[] = [
  {
    name: 'pages_search',
    kinds: ['page'],
    columns: {
      title: jsonSql('b.data', '$.title'),
      description: jsonSql('b.data', '$.description'),
      markdown: 't.data',
      id: 'r.id',
      space: jsonSql('r.params', '$.spaceId'),
      path: jsonSql('b.data', '$.path'),
    },
  },
  {
    name: 'comments_search',
    kinds: ['comment', 'change-request-comment', 'comment-reply', 'change-request-comment-reply'],
    columns: {
      markdown: jsonSql('b.data', '$.body.markdown'),
      posted_by: jsonSql('b.data', '$.postedBy.displayName'),
      id: 'r.id',
      space: jsonSql('r.params', '$.spaceId'),
    },
  },
];

const UNINDEXED = new Set(['id', 'space', 'path']);
const SOURCE = `versions v join resources r on r.rid = v.rid join bodies b on b.bid = v.body left join bodies t on t.bid = v.text`;

/** Every version that there could be words of. */
function versionsSql(table: SearchTable): string {
  const list = Object.entries(table.columns).map(([name, expression]) => `${expression} as ${name}`);
  return `select v.vid as vid, ${list.join(', ')} from ${SOURCE} where r.kind in (${wordsSql(table.kinds)})`;
}

/** The tables by their names, each with the kinds whose words are in it. */
export const indexedKinds: readonly Pick<SearchTable, 'name' | 'kinds'>[] = tables;

/** The columns of a table whose words are indexed, in their order. */
export function wordColumns(name: SearchTableName): string[] {
  const columns = tables.filter((one) => one.name === name).flatMap((one) => Object.keys(one.columns));
  return columns.filter((column) => !UNINDEXED.has(column));
}

/**
 * Statements that make the full-text tables. They start empty and are filled when a snapshot is sealed. What they take for their
 * content is what is indexed and no more: without MATCH, a full-text table shows all of its content.
 */
export function searchSql(): string[] {
  return tables.flatMap((table) => {
    const columns = Object.keys(table.columns).map((name) => (UNINDEXED.has(name) ? `${name} unindexed` : name));
    return [
      `drop view if exists ${table.name}_source`,
      `create view ${table.name}_source as ${versionsSql(table)} and v.vid in (select id from ${table.name}_docsize)`,
      `create virtual table if not exists ${table.name} using fts5 (${columns.join(', ')}, content='${table.name}_source', content_rowid='vid', tokenize='unicode61 remove_diacritics 2')`,
    ];
  });
}

/** What was sealed last, and what is being sealed. */
interface Span {
  readonly previous: number;
  readonly snapshot: number;
}

const ENDED =
  'select vid from versions where valid_to > @previous and valid_to <= @snapshot and valid_from <= @previous';
const HELD = `select v.vid from versions v where ${holdsAtSql('v', '@snapshot')}`;
const BEGUN = `${HELD} and v.valid_from > @previous`;

// About as much as is indexed in a few tens of milliseconds; what each version costs besides its text.
const PIECE_BYTES = 1024 * 1024;
const VERSION_BYTES = 1024;

/** Takes out what is no longer valid at this snapshot and adds what is new in it. Costs what changed, unless some of it was damaged. */
export function* moveSearch(mirror: Mirror, snapshot: number, previous: number): Pieces<void> {
  const span = { previous, snapshot };
  const isDoubted = dropFact(mirror, 'search_doubted');
  for (const table of tables) {
    const ended = piecesOf(mirror, { table, which: ENDED }, span);
    if (isDoubted || (yield* hasDamaged(mirror, ended))) {
      mirror.store.driver.exec(`insert into ${table.name} (${table.name}) values ('delete-all')`);
      yield* eachPiece(mirror, addSql(table), piecesOf(mirror, { table, which: HELD }, span));
    } else {
      yield* eachPiece(mirror, removeSql(table), ended);
      yield* eachPiece(mirror, addSql(table), piecesOf(mirror, { table, which: BEGUN }, span));
    }
  }
}

interface Chosen {
  readonly table: SearchTable;
  readonly which: string;
}

/** Lists of versions as JSON, in their order, each of about as much text. */
function piecesOf({ store }: Mirror, { table, which }: Chosen, span: Span): string[] {
  const sizes = `select v.vid, sum(coalesce(t.size, 0) + ${VERSION_BYTES}) over (order by v.vid) / ${PIECE_BYTES} as piece
    from ${SOURCE} where v.vid in (${which}) and r.kind in (${wordsSql(table.kinds)})`;
  return store
    .prepare<{ vids: string }>(`select json_group_array(vid) as vids from (${sizes}) group by piece order by piece`)
    .all(span)
    .map(({ vids }) => vids);
}

function* eachPiece({ store }: Mirror, sql: string, pieces: readonly string[]): Pieces<void> {
  for (const vids of pieces) {
    store.prepare(sql).run(vids);
    yield;
  }
}

const IN_PIECE = '(select value from json_each(?))';

/** The index takes out words by the text that had them: one that is damaged now would leave its own behind. */
function* hasDamaged({ store }: Mirror, pieces: readonly string[]): Pieces<boolean> {
  const sql = `select 1 from ${SOURCE} where v.vid in ${IN_PIECE}
    and (docmirror_hash(b.data) <> b.hash or docmirror_hash(t.data) <> t.hash) limit 1`;
  for (const vids of pieces) {
    if (store.prepare(sql).get(vids) !== undefined) return true;
    yield;
  }
  return false;
}

function removeSql(table: SearchTable): string {
  const list = Object.keys(table.columns).join(', ');
  return `insert into ${table.name} (${table.name}, rowid, ${list})
    select 'delete', vid, ${list} from (${versionsSql(table)} and v.vid in ${IN_PIECE})`;
}

function addSql(table: SearchTable): string {
  const list = Object.keys(table.columns).join(', ');
  return `insert into ${table.name} (rowid, ${list}) select vid, ${list} from (${versionsSql(table)} and v.vid in ${IN_PIECE})`;
}

/** Has the index made anew when the next snapshot is sealed: a text was put right that may have been added as it was damaged. */
export function doubtSearch(mirror: Mirror): void {
  setFact(mirror, 'search_doubted', '1');
}
