import { isRecord } from '../../base/index.ts';
import { nameOfReference, type Schema } from './components.ts';

const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T08:00:00.000Z',
  uri: 'https://docs.example.com/archive.zip',
  email: 'pat@example.com',
};
const DEPTH = 6;

/** A value that the schema allows, with the fields that are required and nothing else. */
export function exampleOf(schema: unknown, schemas: Readonly<Record<string, Schema>>, depth: number = DEPTH): unknown {
  if (!isRecord(schema) || depth === 0) return null;
  const name = nameOfReference(schema['$ref']);
  if (name !== null) return exampleOf(schemas[name], schemas, depth);
  if ('const' in schema) return schema['const'];
  const { enum: values, anyOf, type, format, items, minimum } = schema;
  if (Array.isArray(values)) return values[0];
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0], schemas, depth);
  if (type === 'object') return exampleObject(schema, schemas, depth - 1);
  if (type === 'array') return [exampleOf(items, schemas, depth - 1)];
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return typeof minimum === 'number' ? minimum : 1;
  return (typeof format === 'string' ? TEXTS[format] : undefined) ?? 'text';
}

function exampleObject(schema: Schema, schemas: Readonly<Record<string, Schema>>, depth: number): unknown {
  const { properties, required } = schema;
  if (!isRecord(properties)) return {};
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const names = needed.length > 0 ? needed.map(String) : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name], schemas, depth)]));
}
