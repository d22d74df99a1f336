// A report of references that lead to nothing. What lies in spaces is much, and is looked up by its key in the index of all keys;
// of the other kinds the ids are read once, as a set.
import { kindOf, parameterWord, type KindName } from '../contract/index.ts';
import { columnsOf, snakeCase } from './columns.ts';
import type { Recipe } from './recipes.ts';
import { references, type Reference, type Target } from './references.ts';

const SHOWN = '(select id from shown_snapshot)';

/** Names what does not exist, by view and column; no rows in a mirror that is whole. */
export const danglingReferences: Recipe = {
  name: 'dangling-references',
  about: 'references between the views that lead to nothing: none in a mirror that is whole',
  sql: `with ${knownSql(references())}
select "view", reference, target, count(*) as dangling, min(value) as example from (
${[...byView(references())].map(([view, list]) => danglingSql(view, list)).join('\nunion all ')}
) group by "view", reference, target`,
};

/** The ids of each view of which a set is needed. */
function knownSql(all: readonly Reference[]): string {
  const targets = all.flatMap(({ view, targets: several }) =>
    several.filter(({ kind }) => containersIn(view, kind) === null),
  );
  const sets = new Map(targets.map((target) => [knownName(target), target]));
  const list = [...sets].map(
    ([name, { view, column }]) => `${name} (id) as materialized (select ${column} from ${view})`,
  );
  return list.join(',\n');
}

function knownName({ view, column }: Target): string {
  return `${view}_by_${column}`;
}

function byView(all: readonly Reference[]): Map<string, Reference[]> {
  const views = new Map<string, Reference[]>();
  for (const one of all) views.set(one.view, [...(views.get(one.view) ?? []), one]);
  return views;
}

/**
 * A view is gone through once, whatever the number of its references, and each of its columns is computed once (SQLite merges no
 * query that has a limit into another); only rows with a dangling one are taken apart.
 */
function danglingSql(view: string, list: readonly Reference[]): string {
  const pick = (values: readonly string[]): string =>
    `case n ${values.map((value, n) => `when ${n} then ${value}`).join(' ')} end`;
  const columns = list.flatMap((one, n) => [`${one.column} as c${n}`, `${leadsNowhere(one)} as d${n}`]);
  const names = list.map(({ column }) => `'${column}'`);
  const targets = list.map((one) => `'${[...new Set(one.targets.map((target) => target.view))].join(', ')}'`);
  const read = new Set(
    list.flatMap((one) => [one.column, ...one.targets.flatMap(({ kind }) => containersIn(view, kind) ?? [])]),
  );
  return `select '${view}' as "view", ${pick(names)} as reference, ${pick(targets)} as target, ${pick(list.map((_, n) => `c${n}`))} as value
  from (select ${columns.join(', ')} from (select ${[...read].join(', ')} from ${view} limit -1) as ${view} where ${list.map((_, n) => `d${n}`).join(' or ')})
  cross join (${list.map((_, n) => `select ${n} as n`).join(' union all ')}) where ${pick(list.map((_, n) => `d${n}`))}`;
}

function leadsNowhere({ view, column, targets }: Reference): string {
  const value = `${view}.${column}`;
  const isMissing = targets.map((target) => {
    const key = keySql(view, value, target);
    return key === null
      ? `${value} not in (select id from ${knownName(target)})`
      : `not exists (${heldSql(target, key)})`;
  });
  return `(${value} <> '' and ${isMissing.join(' and ')})`;
}

/** A resource that is held in the snapshot that is shown, by its key. */
function heldSql({ kind }: Target, key: string): string {
  return `select 1 from resources r join versions v on v.rid = r.rid where r.kind = '${kind}' and r.key = ${key}
    and v.valid_from <= ${SHOWN} and (v.valid_to is null or v.valid_to > ${SHOWN})`;
}

/** The key of what a row of a view names by its id; null where it is not looked up by its key. */
function keySql(view: string, id: string, { kind }: Target): string | null {
  const containers = containersIn(view, kind);
  return containers && [...containers.map((name) => `${view}.${name}`), id].join(` || '/' || `);
}

/** The columns of a view that name what a resource lies in which it names; null unless that is a space, or something in one. */
function containersIn(view: string, kind: KindName): string[] | null {
  const { params, id } = kindOf(kind);
  const containers = params.slice(0, -1).map((parameter) => snakeCase(parameterWord(parameter)));
  if (id === null || containers.length === 0 || params[0] !== 'spaceId') return null;
  const columns = new Set(columnsOf(view).map(({ name }) => name));
  return containers.every((name) => columns.has(name)) ? containers : null;
}
