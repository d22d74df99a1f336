// What a body holds that the contract does not know: fields and enum values. The schema of a kind is read once into a form
// that a body is walked by quickly.
import type { TSchema } from 'typebox';
import { isObject } from './kinds/fields.ts';
import { kindOf, type KindName } from './kinds/index.ts';

/** Something that the contract does not know, where it stands: `layout.width`, `reactions[].emoji`. */
export interface Unknown {
  readonly path: string;
  readonly what: 'field' | 'value';
  /** The value of an enum; empty for a field. */
  readonly value: string;
}

/** What may stand at one place of a body. */
interface Shape {
  /** Known fields; null where any field may stand. */
  fields: Map<string, Shape> | null;
  /** Known texts; null where any text may stand. */
  texts: Set<string> | null;
  items: Shape | null;
}

type Definitions = Readonly<Record<string, unknown>>;

/** Looks through a body of a kind. Make one for many bodies: the first look at a kind reads its schema. */
export function createUnknowns(): (kind: KindName, body: Readonly<Record<string, unknown>>) => Unknown[] {
  const shapes = new Map<KindName, Shape>();
  return (kind, body) => {
    let shape = shapes.get(kind);
    if (shape === undefined) shapes.set(kind, (shape = shapeOfKind(kind)));
    const found: Unknown[] = [];
    look(shape, body, { path: '', found });
    return found;
  };
}

interface Look {
  readonly path: string;
  readonly found: Unknown[];
}

function look(shape: Shape, value: unknown, { path, found }: Look): void {
  if (typeof value === 'string') {
    if (shape.texts !== null && !shape.texts.has(value)) found.push({ path, what: 'value', value });
  } else if (isList(value)) {
    const { items } = shape;
    if (items !== null) for (const one of value) look(items, one, { path: `${path}[]`, found });
  } else if (typeof value === 'object' && value !== null && shape.fields !== null) {
    for (const [name, inner] of Object.entries(value)) {
      const known = shape.fields.get(name);
      const own = path === '' ? name : `${path}.${name}`;
      if (known === undefined) found.push({ path: own, what: 'field', value: '' });
      else look(known, inner, { path: own, found });
    }
  }
}

/** True for an array, and for a list that makes its items as they are come to: JSON has nothing else to go through so. */
function isList(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

function shapeOfKind(kind: KindName): Shape {
  const { schema, embeds } = kindOf(kind);
  const shape = shapeOf(schema, { ...definitionsOf(schema) }, new Map());
  // What is kept as a resource of its own leaves a reference, and is looked at there.
  for (const field of Object.keys(embeds ?? {})) shape.fields?.set(field, anything());
  shape.fields?.set('object', shape.fields.get('object') ?? anything());
  return shape;
}

function definitionsOf(schema: TSchema): Definitions {
  return '$defs' in schema && isObject(schema.$defs) ? schema.$defs : {};
}

function anything(): Shape {
  return { fields: null, texts: null, items: null };
}

function shapeOf(schema: unknown, definitions: Definitions, known: Map<unknown, Shape>): Shape {
  if (!isObject(schema)) return anything();
  const before = known.get(schema);
  if (before) return before;
  const shape = anything();
  known.set(schema, shape);
  Object.assign(shape, readShape(schema, definitions, known));
  return shape;
}

function readShape(schema: Record<string, unknown>, definitions: Definitions, known: Map<unknown, Shape>): Shape {
  const inner = (one: unknown): Shape => shapeOf(one, definitions, known);
  if (typeof schema['$ref'] === 'string') return inner(definitions[schema['$ref']]);
  if (Array.isArray(schema['anyOf'])) {
    const all = united(schema['anyOf'].map(inner));
    return schema['anyOf'].some(isAnyText) ? { ...all, texts: null } : all;
  }
  if (Array.isArray(schema['enum'])) return { ...anything(), texts: textsOf(schema['enum']) };
  if (typeof schema['const'] === 'string') return { ...anything(), texts: new Set([schema['const']]) };
  if (schema['type'] === 'array') return { ...anything(), items: inner(schema['items']) };
  if (schema['type'] !== 'object' || !isObject(schema['properties'])) return anything();
  const fields = Object.entries(schema['properties']).map(([name, one]): [string, Shape] => [name, inner(one)]);
  return { ...anything(), fields: new Map(fields) };
}

function textsOf(values: readonly unknown[]): Set<string> {
  return new Set(values.filter((one) => typeof one === 'string'));
}

/** One of several: what any of them knows is known. */
function united(branches: readonly Shape[]): Shape {
  const objects = branches.map((one) => one.fields).filter((one) => one !== null);
  const texts = branches.map((one) => one.texts).filter((one) => one !== null);
  const items = branches.map((one) => one.items).filter((one) => one !== null);
  return {
    fields: objects.length === 0 ? null : unitedFields(objects),
    texts: texts.length === 0 ? null : new Set(texts.flatMap((one) => [...one])),
    items: items.length === 0 ? null : united(items),
  };
}

function unitedFields(objects: readonly Map<string, Shape>[]): Map<string, Shape> {
  const names = new Set(objects.flatMap((one) => [...one.keys()]));
  return new Map([...names].map((name) => [name, united(objects.flatMap((one) => one.get(name) ?? []))]));
}

/** A text of any kind beside an enumeration leaves nothing to be unknown. */
function isAnyText(schema: unknown): boolean {
  return isObject(schema) && schema['type'] === 'string' && !('enum' in schema) && !('const' in schema);
}
