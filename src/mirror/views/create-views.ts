// Views, full-text tables and the data dictionary as the contract wants them. Making the words of it takes longer than to open a mirror,
// so this is loaded by whoever opens one for writing, and made once in a process.
import { viewKinds } from '../../contract/index.ts';
import { sha256, type SqlStore } from '../../base/index.ts';
import { columnsOf } from './columns.ts';
import { dictionaryRows } from './dictionary.ts';
import { recipes } from './recipes.ts';
import { reportViews } from './report-views.ts';
import { searchSql } from '../search/search.ts';
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

/** The views and full-text tables by their names, as SQLite keeps what made them. */
export const definitions: ReadonlyMap<string, string> = new Map(statements.flatMap(definitionIn));

function definitionIn(statement: string): [string, string][] {
  const [head, what = '', name = ''] = /^create (view|virtual table) (?:if not exists )?(\S+)/.exec(statement) ?? [];
  return head === undefined ? [] : [[name, `CREATE ${what.toUpperCase()} ${name}${statement.slice(head.length)}`]];
}

/** Brings views, full-text tables and the data dictionary in line with the contract; does nothing when they are. */
export function createViews(store: SqlStore<MirrorTables>): void {
  const known = store.get<{ value: string }>(store.sql.selectFrom('meta').select('value').where('name', '=', 'views'));
  if (known?.value === fingerprint) return;
  store.transaction(() => {
    for (const statement of statements) store.driver.exec(statement);
    writeDictionary(store);
    store.run(store.sql.replaceInto('meta').values({ name: 'views', value: fingerprint }));
  });
}

function writeDictionary(store: SqlStore<MirrorTables>): void {
  store.driver
    .exec(`drop table if exists docs_tables; drop table if exists docs_columns; drop table if exists docs_recipes;
create table docs_tables (name text primary key, description text not null) without rowid;
create table docs_columns (table_name text not null, name text not null, description text not null, primary key (table_name, name)) without rowid;
create table docs_recipes (name text primary key, about text not null, sql text not null) without rowid;`);
  const table = store.driver.prepare('insert into docs_tables values (?, ?)');
  const column = store.driver.prepare('insert or ignore into docs_columns values (?, ?, ?)');
  for (const row of dictionary) {
    table.run(row.name, row.description);
    for (const entry of row.columns) column.run(row.name, entry.name, entry.description);
  }
  const recipe = store.driver.prepare('insert into docs_recipes values (?, ?, ?)');
  for (const { name, about, sql } of recipes) recipe.run(name, about, sql);
}
