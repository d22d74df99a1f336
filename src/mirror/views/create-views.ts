// Views, full-text tables and the data dictionary as the contract wants them. Making the words of it takes longer than to open a mirror,
// so this is loaded by whoever opens one for writing, and made once in a process.
import { viewKinds } from '../../contract/index.ts';
import { sha256, type SqlStore } from '../../base/index.ts';
import { columnsOf } from './columns.ts';
import type { DictionaryRow } from './dictionary-row.ts';
import { dictionaryRows } from './dictionary.ts';
import { recipes } from './recipes.ts';
import { reportViews } from './report-views.ts';
import { searchSql } from '../search/search.ts';
import { factOf, setFact } from '../database/meta.ts';
import { statisticsSql } from '../database/statistics.ts';
import { plainBodies } from '../bodies/stored-text.ts';
import type { MirrorTables } from '../database/tables.ts';
import { LAST_SEALED, viewStatements } from './views.ts';

const views = Array.from(viewKinds().keys(), (view) => ({ view, columns: columnsOf(view) }));
const dictionary = dictionaryRows(views);
const statements: readonly string[] = [
  ...views.flatMap(({ view, columns }) => viewStatements(view, columns)),
  ...reportViews.flatMap(({ name, sql }) => [
    `drop view if exists ${name}`,
    `create view ${name} as ${sql(LAST_SEALED, plainBodies)}`,
  ]),
  ...searchSql(),
  ...statisticsSql(),
];
/** What a mirror remembers of the program that made them. */
export const fingerprint = sha256(JSON.stringify([statements, dictionary, recipes]));

/** The tables that describe all of it: what makes each, and its rows. */
const dictionaryTables: readonly DictionaryTable[] = [
  {
    name: 'docs_tables',
    columns: 'name text primary key, description text not null',
    rows: dictionary.map(({ name, description }) => [name, description]),
  },
  {
    name: 'docs_columns',
    columns: 'table_name text not null, name text not null, description text not null, primary key (table_name, name)',
    rows: dictionary.flatMap(({ name, columns }) => columnRows(name, columns)),
  },
  {
    name: 'docs_recipes',
    columns: 'name text primary key, about text not null, sql text not null',
    rows: recipes.map(({ name, about, sql }) => [name, about, sql]),
  },
];

interface DictionaryTable {
  readonly name: string;
  readonly columns: string;
  readonly rows: readonly (readonly string[])[];
}

/** The first note on a column holds. */
function columnRows(table: string, columns: DictionaryRow['columns']): string[][] {
  const notes = new Map(columns.toReversed().map(({ name, description }) => [name, description]));
  return Array.from(notes, ([name, description]) => [table, name, description]);
}

/** The views and full-text tables by their names, as SQLite keeps what made them, and what the tables that describe them hold. */
export const definitions: ReadonlyMap<string, string> = new Map([
  ...statements.flatMap(definitionIn),
  ...dictionaryTables.map(({ name, rows }): [string, string] => [name, contentOf(rows)]),
]);

/** The tables that describe the others, as they are held. */
export function dictionaryIn({ driver }: Pick<SqlStore<MirrorTables>, 'driver'>): [name: string, content: string][] {
  const isTable = driver.prepare(`select 1 from sqlite_schema where type = 'table' and name = ?`);
  return dictionaryTables
    .filter(({ name }) => isTable.get(name) !== undefined)
    .map(({ name }) => [name, contentOf(driver.prepare<[], string[]>(`select * from ${name}`).raw().all())]);
}

function contentOf(rows: readonly (readonly string[])[]): string {
  return JSON.stringify(rows.map((row) => JSON.stringify(row)).toSorted());
}

function definitionIn(statement: string): [string, string][] {
  const [head, what = '', name = ''] = /^create (view|virtual table) (?:if not exists )?(\S+)/.exec(statement) ?? [];
  return head === undefined ? [] : [[name, `CREATE ${what.toUpperCase()} ${name}${statement.slice(head.length)}`]];
}

/** Brings views, full-text tables and the data dictionary in line with the contract; does nothing when they are. */
export function createViews(store: SqlStore<MirrorTables>): void {
  if (factOf({ store }, 'views') === fingerprint) return;
  store.transaction(() => {
    for (const statement of statements) store.driver.exec(statement);
    writeDictionary(store);
    setFact({ store }, 'views', fingerprint);
  });
}

function writeDictionary({ driver }: SqlStore<MirrorTables>): void {
  for (const { name, columns, rows } of dictionaryTables) {
    driver.exec(`drop table if exists ${name}; create table ${name} (${columns}) without rowid;`);
    const [first = []] = rows;
    const insert = driver.prepare(`insert into ${name} values (${first.map(() => '?').join(', ')})`);
    for (const row of rows) insert.run(row);
  }
}
