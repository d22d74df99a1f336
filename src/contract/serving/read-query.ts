// The query string of a request, as the contract types it.
import type { TSchema } from 'typebox';
import type { OperationShape } from '../operations/define.ts';
import type { SchemaChecks } from './schema-checks.ts';

/** The query as the contract types it, with the defaults of what it leaves out; unknown parameters are left out. */
export function readQuery(checks: SchemaChecks, shape: OperationShape, search: string): object {
  if (!shape.query) return {};
  const query: Record<string, unknown> = {};
  const given = new URLSearchParams(search);
  for (const [name, schema] of Object.entries(shape.query.properties)) {
    const values = given.getAll(name);
    if (values.length > 0) query[name] = coerce(schema, values);
    else if ('default' in schema) query[name] = schema.default;
  }
  checks.demand(shape.query, query);
  return query;
}

// What cannot be coerced stays as it is, so that the check names it.
function coerce(schema: TSchema, values: string[]): unknown {
  const type = 'type' in schema ? schema.type : undefined;
  if (type === 'array') return values;
  const value = values.at(-1) ?? '';
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  const isNumber = type === 'integer' || type === 'number';
  return isNumber && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}
