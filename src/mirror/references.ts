// Which columns of the views name resources of other views, from the contract; and a report of those that lead nowhere.
import {
  kindNames,
  kindOf,
  viewKinds,
  fieldsOf,
  isArrayField,
  isKindName,
  parameterWord,
  type KindName,
} from '../contract/index.ts';
import { snakeCase } from './columns.ts';
import type { Recipe } from './recipes.ts';

/** A column that holds the id of a resource of some other view, or of its own. */
export interface Reference {
  readonly view: string;
  readonly column: string;
  /** Where what it names may stand. */
  readonly targets: readonly { readonly view: string; readonly column: string }[];
}

/** Every reference between views, in the order of declaration. */
export function references(): Reference[] {
  return [...viewKinds()].flatMap(([view, kinds]) => {
    const found = new Map<string, Set<KindName>>();
    for (const [column, kind] of kinds.flatMap(referencesOf))
      found.set(column, new Set([...(found.get(column) ?? []), kind]));
    return [...found].map(([column, named]) => ({ view, column, targets: [...named].map(targetOf) }));
  });
}

function targetOf(name: KindName): { view: string; column: string } {
  const { view, id } = kindOf(name);
  return { view, column: id === null ? 'id' : snakeCase(id) };
}

/** What is named from inside a change request may be there or in its space. */
const IN_REQUEST: Partial<Record<KindName, KindName>> = { page: 'change-request-page', file: 'change-request-file' };

function referencesOf(name: KindName): [column: string, kind: KindName][] {
  const { params, read } = kindOf(name);
  const above = containersOf(name).flatMap((parameter): [string, KindName][] => {
    const owner = ownerOf(parameter, name);
    return owner === undefined ? [] : [[snakeCase(parameterWord(parameter)), owner]];
  });
  const nested: [string, KindName][] = read.from === 'part' && read.nested !== undefined ? [['parent', name]] : [];
  const all = [...above, ...nested, ...namedBy(name)];
  if (!params.includes('changeRequestId')) return all;
  return all.flatMap(([column, kind]): [string, KindName][] => {
    const twin = IN_REQUEST[kind];
    return twin === undefined
      ? [[column, kind]]
      : [
          [column, kind],
          [column, twin],
        ];
  });
}

function containersOf(name: KindName): readonly string[] {
  const { params, id } = kindOf(name);
  return id !== null && !id.includes('.') ? params.slice(0, -1) : params;
}

/** Fields that hold an id, or a whole resource of which a reference is kept. */
function namedBy(name: KindName): [column: string, kind: KindName][] {
  const { refs, embeds } = kindOf(name);
  const byId = Object.entries(refs ?? {}).map(([path, kind]) => [path.includes('.') ? kind : path, kind] as const);
  const whole = Object.entries(embeds ?? {}).filter(([field]) => !isArrayField(fieldsOf(name).get(field) ?? {}));
  return [...byId, ...whole].flatMap(([field, kind]): [string, KindName][] =>
    isKindName(kind) ? [[snakeCase(field), kind]] : [],
  );
}

/** The kind that a path parameter identifies: the one whose own it is, nearest to the kind that asks. */
function ownerOf(parameter: string, asking: KindName): KindName | undefined {
  const owners = kindNames.filter(
    (name) => name !== asking && kindOf(name).id !== null && kindOf(name).params.at(-1) === parameter,
  );
  return owners.find((name) => kindOf(name).params.every((one) => kindOf(asking).params.includes(one)));
}

/** Names what does not exist, by view and column; no rows in a mirror that is whole. */
export const danglingReferences: Recipe = {
  name: 'dangling-references',
  about: 'references between the views that lead to nothing: none in a mirror that is whole',
  sql: `with ${knownSql(references())}
select "view", reference, target, count(*) as dangling, min(value) as example from (
${[...byView(references())].map(([view, list]) => danglingSql(view, list)).join('\nunion all ')}
) group by "view", reference, target`,
};

/** The ids of each view that is named, read once however often it is named; never none, so that null is not in them as null. */
function knownSql(all: readonly Reference[]): string {
  const targets = new Map(all.flatMap((one) => one.targets).map((target) => [knownName(target), target]));
  const list = [...targets].map(
    ([name, { view, column }]) => `${name} (id) as materialized (select ${column} from ${view} union all select '')`,
  );
  return list.join(',\n');
}

function knownName({ view, column }: { view: string; column: string }): string {
  return `${view}_by_${column}`;
}

function byView(all: readonly Reference[]): Map<string, Reference[]> {
  const views = new Map<string, Reference[]>();
  for (const one of all) views.set(one.view, [...(views.get(one.view) ?? []), one]);
  return views;
}

/** A view is gone through once, whatever the number of its references; only rows with a dangling one are taken apart. */
function danglingSql(view: string, list: readonly Reference[]): string {
  const pick = (values: readonly string[]): string =>
    `case n ${values.map((value, n) => `when ${n} then ${value}`).join(' ')} end`;
  const columns = list.flatMap(({ column, targets }, n) => {
    const known = targets.map((target) => `select id from ${knownName(target)}`).join(' union all ');
    return [`${column} as c${n}`, `${column} not in (${known}) as d${n}`];
  });
  const names = list.map(({ column }) => `'${column}'`);
  const targets = list.map((one) => `'${one.targets.map((target) => target.view).join(', ')}'`);
  return `select '${view}' as "view", ${pick(names)} as reference, ${pick(targets)} as target, ${pick(list.map((_, n) => `c${n}`))} as value
  from (select ${columns.join(', ')} from ${view} where ${list.map((_, n) => `d${n}`).join(' or ')}),
  (${list.map((_, n) => `select ${n} as n`).join(' union all ')}) where ${pick(list.map((_, n) => `d${n}`))}`;
}
