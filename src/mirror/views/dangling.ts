// A report of references that lead to nothing. What a resource lies in, and its parent, it knows by number; what its fields name
// lies in a space, and is looked up by its key, or is one of few, whose ids are read once, as a set. Everything is joined: a
// subquery would open its tables anew for each row.
import { kindNames, kindOf, parameterWord, type KindName } from '../../contract/index.ts';
import { columnsOf, snakeCase } from './columns.ts';
import { isSharedKind, OF_TREE, SHARED_KINDS } from '../observe/shared-trees.ts';
import { holdsAtSql } from '../database/holds-sql.ts';
import { wordsSql } from '../database/words-sql.ts';
import type { Recipe } from './recipes.ts';
import { references, type Reference, type Target } from './references.ts';

const SHOWN = '(select id from shown_snapshot)';

/**
 * What may be transferred lies in what holds it today, also where it is shown as it was before. A field of its own names what held it
 * then, and is looked up like any other.
 */
const TRANSFERRED = kindNames.filter((kind) => kindOf(kind).params.length === 1);

/** What is held and lies in something, or has a parent, that is not. Found first, from what is not held: few rows are then told of by their names. */
const astray = `away (rid) as materialized (select rid from resources except select v.rid from versions v where ${holdsAtSql('v', SHOWN)}),
astray (rid, above, is_parent) as materialized (
  select v.rid, r.scope, 0 from away join resources r on r.scope = away.rid and r.kind not in (${wordsSql(TRANSFERRED)})
    join versions v on v.rid = r.rid and ${holdsAtSql('v', SHOWN)}
  union all select v.rid, v.parent, 1 from versions v where v.parent in (select rid from away) and ${holdsAtSql('v', SHOWN)}),
views_of (kind, view) as (values ${kindNames.map((name) => `('${name}', '${kindOf(name).view}')`).join(', ')})`;

/** Such a reference is called by the kind that it leads to, or parent. */
const astrayNamed = `select o.view, iif(astray.is_parent, 'parent', replace(t.kind, '-', '_')), w.view, t.id
  from astray join resources r on r.rid = astray.rid join resources t on t.rid = astray.above
  join views_of o on o.kind = r.kind join views_of w on w.kind = t.kind`;

/** Names what does not exist, by view and column. A page that was deleted is still named by the comments on it, on the platform too. */
export const danglingReferences: Recipe = {
  name: 'dangling-references',
  about:
    'references between the views that lead to nothing: none in a mirror that is whole, but for what the platform keeps itself, such as comments on a deleted page',
  sql: `with ${knownSql(references())},
${astray}
select "view", reference, target, count(*) as dangling, min(value) as example from (
${[...byView(references())].map(([view, list]) => danglingSql(view, list)).join('\nunion all ')}
union all ${astrayNamed}
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
  const lookUps = list.map(lookUp);
  const columns = list.flatMap(({ column }, n) => [`${view}.${column} as c${n}`, `${lookUps[n]?.isDangling} as d${n}`]);
  const names = list.map(({ column }) => `'${column}'`);
  const targets = list.map((one) => `'${[...new Set(one.targets.map((target) => target.view))].join(', ')}'`);
  const read = new Set(
    list.flatMap((one) => [one.column, ...one.targets.flatMap(({ kind }) => containersIn(view, kind) ?? [])]),
  );
  return `select '${view}' as "view", ${pick(names)} as reference, ${pick(targets)} as target, ${pick(list.map((_, n) => `c${n}`))} as value
  from (select ${columns.join(', ')} from (select ${[...read].join(', ')} from ${view} limit -1) as ${view}${lookUps.flatMap(({ joins }) => joins).join('')}
  where ${list.map((_, n) => `d${n}`).join(' or ')})
  cross join (${list.map((_, n) => `select ${n} as n`).join(' union all ')}) where ${pick(list.map((_, n) => `d${n}`))}`;
}

interface LookUp {
  readonly joins: readonly string[];
  readonly isDangling: string;
}

/** The nth reference of a view: what is joined to a row of it, and the condition under which it leads nowhere. */
function lookUp({ view, column, targets }: Reference, n: number): LookUp {
  const value = `${view}.${column}`;
  const joins: string[] = [];
  const isMissing = targets.map((target, m) => {
    const key = keySql(view, value, target);
    if (key === null) return `${value} not in (select id from ${knownName(target)})`;
    const [r, v] = [`r${n}_${m}`, `v${n}_${m}`];
    joins.push(`
  left join resources ${r} on ${r}.kind = '${target.kind}' and ${r}.key = ${key}
  left join versions ${v} on ${v}.rid = ${r}.rid and ${holdsAtSql(v, SHOWN)}`);
    return `${v}.rid is null${sharedSql({ view, value, kind: target.kind })}`;
  });
  return { joins, isDangling: `(${value} <> '' and ${isMissing.join(' and ')})` };
}

interface Named {
  readonly view: string;
  /** The id that is named. */
  readonly value: string;
  readonly kind: KindName;
}

/** What a change request shows as its space did is there, too: looked for once it is no resource of its own. */
function sharedSql({ view, value, kind }: Named): string {
  if (!isSharedKind(kind)) return '';
  return ` and not exists (select 1 from resources q join shared_trees st on st.rid = q.rid and st.kind = '${kind}' and ${holdsAtSql('st', SHOWN)}
    join resources p on p.kind = '${SHARED_KINDS[kind].main}' and p.key = ${view}.space || '/' || ${value}
    join shared_entries e on ${OF_TREE} and e.rid = p.rid
    where q.kind = 'change-request-revision' and q.key = ${view}.space || '/' || ${view}.change_request)`;
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
