// Which columns of the views name resources of other views, from the contract. What a resource lies in is not among them: a row
// knows that by its number.
import {
  copyKind,
  fieldsOf,
  isArrayField,
  isKindName,
  kindNames,
  kindOf,
  ownParameter,
  parameterWord,
  viewKinds,
  type KindName,
} from '../../contract/index.ts';
import { snakeCase } from './columns.ts';

/** A column that holds the id of a resource of some other view, or of its own. */
export interface Reference {
  readonly view: string;
  readonly column: string;
  /** Where what it names may stand. */
  readonly targets: readonly Target[];
}

/** The resources of one kind, by their ids. */
export interface Target {
  readonly kind: KindName;
  readonly view: string;
  readonly column: string;
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

function targetOf(kind: KindName): Target {
  const { view, id } = kindOf(kind);
  return { kind, view, column: id === null ? 'id' : snakeCase(id) };
}

function referencesOf(name: KindName): [column: string, kind: KindName][] {
  const all = [...namedInKey(name), ...namedBy(name)];
  if (!kindOf(name).params.includes('changeRequestId')) return all;
  // What is named from inside a change request may be there or in its space.
  return all.flatMap(([column, kind]) =>
    [kind, copyKind(kind)].flatMap((one): [string, KindName][] => (one === null ? [] : [[column, one]])),
  );
}

/** The last parameter of a kind that is told apart by the id of another resource. */
function namedInKey(name: KindName): [column: string, kind: KindName][] {
  const own = ownParameter(name);
  const owner = kindOf(name).id?.includes('.') ? ownerOf(own) : undefined;
  return owner === undefined ? [] : [[snakeCase(parameterWord(own)), owner]];
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

/** The kind that a path parameter identifies: the one whose own it is, with the fewest containers. */
function ownerOf(parameter: string): KindName | undefined {
  const owners = kindNames.filter((name) => isOwn(kindOf(name).id) && ownParameter(name) === parameter);
  return owners.toSorted((a, b) => kindOf(a).params.length - kindOf(b).params.length)[0];
}

function isOwn(id: string | null): boolean {
  return id !== null && !id.includes('.');
}
