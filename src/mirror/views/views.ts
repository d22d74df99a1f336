// The SQL views that people query, generated from the contract: `<view>`, `<view>_history`, and the same at any snapshot.
import { kindOf, viewKinds } from '../../contract/index.ts';
import { columnsOf, FIRST_SEEN, parameterJson, type Column } from './columns.ts';
import { allBodies, plainBodies, type BodySql } from '../bodies/stored-text.ts';
import { holdsAtSql } from '../database/holds-sql.ts';
import { wordsSql } from '../database/words-sql.ts';
import { sharedRowsOf } from './shared-rows.ts';
import { SEALED } from '../snapshots/sealed-states.ts';

/** Readers see the last snapshot that was sealed, never a walk that is under way. */
export const LAST_SEALED = `(select max(id) from snapshots where state in ${SEALED})`;

/**
 * SQL of a view as it stood at a snapshot: a number, or an SQL expression that gives one. Superseded bodies are read by a function that
 * only Docmirror's own connections have.
 */
export function viewSql(view: string, at: string | number): string {
  return selectAt(view, selectList(columnsOf(view), allBodies), at);
}

/** The same, with `own_kind` and `own_key`: what tells each resource from all others, as its id may not. */
export function keyedViewSql(view: string, at: number): string {
  const list = selectList(columnsOf(view), allBodies);
  return selectAt(view, `${list}, r.kind as own_kind, r.key as own_key`, at);
}

function selectAt(view: string, list: string, at: string | number): string {
  const holds = holdsAtSql('v', 'pin.at');
  return withShared(
    view,
    (source, own) => `select ${list} from (select ${at} as at) pin, ${source} where ${own} and ${holds}`,
  );
}

/** The rows of a view, and those that settled change requests share with their spaces. */
function withShared(view: string, select: (source: string, own: string) => string): string {
  const shared = sharedRowsOf(viewKinds().get(view) ?? []).map(({ sql, parameter }) =>
    inOneRow(select(`(${sql}) r ${heldBy(view)}`, 'true'))
      .replaceAll(parameterJson(parameter), 'r.request')
      .replaceAll(FIRST_SEEN, 'r.first_seen_at'),
  );
  const own = `resources r join versions v on v.rid = r.rid ${heldBy(view)}`;
  return [select(own, `r.kind in (${kindList(view)})`), ...shared].join('\nunion all ');
}

/** SQL over a resource `r` and its version `v`, for rows `r` that have what both have. */
function inOneRow(sql: string): string {
  return sql.replaceAll(/\bv\./g, 'r.');
}

/** SQL of a view's history: every version up to a snapshot, with superseded bodies. */
export function historySql(view: string, at: string | number): string {
  return selectHistory(view, selectList(columnsOf(view), allBodies), at);
}

function selectHistory(view: string, list: string, at: string | number): string {
  return withShared(
    view,
    (source, own) => `select ${list}, v.valid_from as valid_from,
  case when v.valid_to <= pin.at then v.valid_to end as valid_to,
  (select s.started_at from snapshots s where s.id = v.valid_from) as valid_from_at,
  case when v.valid_to <= pin.at then (select s.started_at from snapshots s where s.id = v.valid_to) end as valid_to_at
from (select ${at} as at) pin, ${source} where ${own} and v.valid_from <= pin.at`,
  );
}

/**
 * What a version holds, and what it stands below. That is in the same space: it is joined, and the space told, so that whoever asks
 * what stands below one page is led to the pages of its space, not to all there are.
 */
function heldBy(view: string): string {
  const bodies = 'left join bodies b on b.bid = v.body left join bodies t on t.bid = v.text';
  return isNested(view)
    ? `${bodies} left join resources above on above.rid = v.parent and above.space = r.space`
    : bodies;
}

function isNested(view: string): boolean {
  return (viewKinds().get(view) ?? []).some((name) => {
    const { read } = kindOf(name);
    return read.from === 'part' && read.nested !== undefined;
  });
}

function selectList(columns: readonly Column[], bodies: BodySql): string {
  return columns.map(({ name, sql }) => `${sql(bodies)} as "${name}"`).join(', ');
}

/** True for a view of which some rows are those of superseded texts, though they hold now. */
export function isPartlySuperseded(view: string): boolean {
  return sharedRowsOf(viewKinds().get(view) ?? []).length > 0;
}

function kindList(view: string): string {
  return wordsSql(viewKinds().get(view) ?? []);
}

/** SQL that makes a view and its history anew, for any reader of SQLite: superseded bodies are null. */
export function viewStatements(view: string, columns: readonly Column[]): string[] {
  const list = selectList(columns, plainBodies);
  return [
    `drop view if exists ${view}`,
    `create view ${view} as ${selectAt(view, list, LAST_SEALED)}`,
    `drop view if exists ${view}_history`,
    `create view ${view}_history as ${selectHistory(view, list, LAST_SEALED)}`,
  ];
}
