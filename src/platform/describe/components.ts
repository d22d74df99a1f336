// Named schemas: what several operations use stands once, under its name.
import { isRecord } from '../../base/index.ts';
import { kindNames, kindOf } from '../../contract/index.ts';

export type Schema = Readonly<Record<string, unknown>>;

export interface Components {
  readonly schemas: Readonly<Record<string, Schema>>;
  /** The schema with a reference in every place where a named one stands. */
  shorten(schema: unknown): unknown;
}

const PREFIX = '#/components/schemas/';

/** Names the resource kinds, and whatever else says with `object` what it is; `extra` are schemas to look through for those. */
export function nameComponents(extra: readonly unknown[]): Components {
  const names = new Map<string, string>();
  const found = new Map<string, Schema>();
  const add = (name: string, schema: Schema): void => {
    const text = JSON.stringify(schema);
    if (found.has(name) || names.has(text)) return;
    found.set(name, schema);
    names.set(text, name);
  };
  for (const kind of kindNames) {
    const schema = plain(kindOf(kind).schema);
    add(pascal(typeOf(schema) ?? kind), schema);
  }
  for (const schema of extra) collect(plain(schema), add);
  const shorten = (value: unknown): unknown => shortened(plain(value), names);
  const schemas = Object.fromEntries([...found].map(([name, schema]) => [name, inside(schema, names)]));
  return { schemas, shorten };
}

export function nameOfReference(reference: unknown): string | null {
  return typeof reference === 'string' && reference.startsWith(PREFIX) ? reference.slice(PREFIX.length) : null;
}

/** As JSON has it; a schema that refers to itself is what its name stands for. */
function plain(schema: unknown): Schema {
  const copy: unknown = JSON.parse(JSON.stringify(schema));
  return isRecord(copy) ? (unwrap(copy) as Schema) : {};
}

function unwrap(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrap);
  if (!isRecord(value)) return value;
  const { $defs, $ref, $id: _, ...rest } = value;
  const own = isRecord($defs) && typeof $ref === 'string' ? $defs[$ref] : undefined;
  if (isRecord(own)) return unwrap(own);
  if (typeof $ref === 'string') return { $ref: `${PREFIX}${$ref}` };
  return Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, unwrap(one)]));
}

function collect(schema: unknown, add: (name: string, schema: Schema) => void): void {
  if (Array.isArray(schema)) for (const one of schema) collect(one, add);
  if (!isRecord(schema)) return;
  const type = typeOf(schema);
  if (type !== null) add(pascal(type), schema);
  for (const one of Object.values(schema)) collect(one, add);
}

/** What the resource says it is. */
function typeOf({ properties }: Schema): string | null {
  const type = isRecord(properties) && isRecord(properties['object']) ? properties['object']['const'] : undefined;
  return typeof type === 'string' ? type : null;
}

function shortened(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one) => shortened(one, names));
  if (!isRecord(value)) return value;
  const name = names.get(JSON.stringify(value));
  return name === undefined ? inside(value, names) : { $ref: `${PREFIX}${name}` };
}

function inside(schema: Schema, names: ReadonlyMap<string, string>): Schema {
  return Object.fromEntries(Object.entries(schema).map(([key, one]) => [key, shortened(one, names)]));
}

const SPELLINGS: Readonly<Record<string, string>> = { openapi: 'OpenAPI', saml: 'SAML' };

function pascal(name: string): string {
  return name
    .split(/[-_]/)
    .map((part) => SPELLINGS[part] ?? part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}
