// The SQL views that people query, generated from the contract: `<view>`, `<view>_history`, and the same at any snapshot.
import { viewKinds } from '../contract/index.ts';
import { sha256, type SqlStore } from '../base/index.ts';
import { columnsOf, type Column } from './columns.ts';
import { dictionaryRows } from './dictionary.ts';
import { recipes } from './recipes.ts';
import { reportViews } from './report-views.ts';
import { searchSql } from './search.ts';
import { statisticsSql } from './statistics.ts';
import { allBodies, plainBodies } from './stored-text.ts';
import type { MirrorTables } from './tables.ts';
import { wordsSql } from './words-sql.ts';

/** Readers see the last snapshot that was sealed, never a walk that is under way. */
export const LAST_SEALED = `(select max(id) from snapshots where state in ('complete', 'partial', 'suspect'))`;

/** Superseded bodies read too, by a function that only Docmirror's own connections have; elsewhere they are null. */
export interface ViewOptions {
  readonly unfolded?: boolean;
}

/** SQL of a view as it stood at a snapshot: a number, or an SQL expression that gives one. */
export function viewSql(view: string, at: string | number, options: ViewOptions = {}): string {
  return selectAt(view, selectList(columnsOf(view), options), at);
}

function selectAt(view: string, list: string, at: string | number): string {
  return `select ${list} from (select ${at} as at) pin, ${SOURCE}
where r.kind in (${kindList(view)}) and v.valid_from <= pin.at and (v.valid_to is null or v.valid_to > pin.at)`;
}

/** SQL of a view's history: every version up to a snapshot. */
export function historySql(view: string, at: string | number, options: ViewOptions = {}): string {
  return selectHistory(view, selectList(columnsOf(view), options), at);
}

function selectHistory(view: string, list: string, at: string | number): string {
  return `select ${list}, v.valid_from as valid_from,
  case when v.valid_to <= pin.at then v.valid_to end as valid_to,
  (select s.started_at from snapshots s where s.id = v.valid_from) as valid_from_at,
  case when v.valid_to <= pin.at then (select s.started_at from snapshots s where s.id = v.valid_to) end as valid_to_at
from (select ${at} as at) pin, ${SOURCE} where r.kind in (${kindList(view)}) and v.valid_from <= pin.at`;
}

const SOURCE = `resources r join versions v on v.rid = r.rid left join bodies b on b.bid = v.body left join bodies t on t.bid = v.text`;

function selectList(columns: readonly Column[], { unfolded = false }: ViewOptions): string {
  const bodies = unfolded ? allBodies : plainBodies;
  return columns.map(({ name, sql }) => `${sql(bodies)} as "${name}"`).join(', ');
}

function kindList(view: string): string {
  return wordsSql(viewKinds().get(view) ?? []);
}

/** Brings views, full-text tables and the data dictionary in line with the contract; does nothing when they are. */
export function createViews(store: SqlStore<MirrorTables>): void {
  const views = Array.from(viewKinds().keys(), (view) => ({ view, columns: columnsOf(view) }));
  const statements = [
    ...views.flatMap(({ view, columns }) => viewStatements(view, selectList(columns, {}))),
    ...reportViews.flatMap(({ name, sql }) => [
      `drop view if exists ${name}`,
      `create view ${name} as ${sql(LAST_SEALED, plainBodies)}`,
    ]),
    ...searchSql(),
    ...statisticsSql(),
  ];
  const dictionary = dictionaryRows(views);
  const fingerprint = sha256(JSON.stringify([statements, dictionary, recipes]));
  const known = store.get<{ value: string }>(store.sql.selectFrom('meta').select('value').where('name', '=', 'views'));
  if (known?.value === fingerprint) return;
  store.transaction(() => {
    for (const statement of statements) store.driver.exec(statement);
    writeDictionary(store, dictionary);
    store.run(store.sql.replaceInto('meta').values({ name: 'views', value: fingerprint }));
  });
}

function viewStatements(view: string, list: string): string[] {
  return [
    `drop view if exists ${view}`,
    `create view ${view} as ${selectAt(view, list, LAST_SEALED)}`,
    `drop view if exists ${view}_history`,
    `create view ${view}_history as ${selectHistory(view, list, LAST_SEALED)}`,
  ];
}

function writeDictionary(store: SqlStore<MirrorTables>, rows: ReturnType<typeof dictionaryRows>): void {
  store.driver
    .exec(`drop table if exists docs_tables; drop table if exists docs_columns; drop table if exists docs_recipes;
create table docs_tables (name text primary key, description text not null) without rowid;
create table docs_columns (table_name text not null, name text not null, description text not null, primary key (table_name, name)) without rowid;
create table docs_recipes (name text primary key, about text not null, sql text not null) without rowid;`);
  const table = store.driver.prepare('insert into docs_tables values (?, ?)');
  const column = store.driver.prepare('insert or ignore into docs_columns values (?, ?, ?)');
  for (const row of rows) {
    table.run(row.name, row.description);
    for (const entry of row.columns) column.run(row.name, entry.name, entry.description);
  }
  const recipe = store.driver.prepare('insert into docs_recipes values (?, ?, ?)');
  for (const { name, about, sql } of recipes) recipe.run(name, about, sql);
}
