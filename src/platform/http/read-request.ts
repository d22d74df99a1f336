import type { TSchema } from 'typebox';
import type { OperationShape } from '../../contract/index.ts';
import { isRecord } from '../../base/index.ts';
import { Refusal } from '../refusal.ts';
import type { SchemaChecks } from './validator.ts';

/** The query as the contract types it; unknown parameters are left out. */
export function readQuery(checks: SchemaChecks, shape: OperationShape, search: URLSearchParams): object {
  if (!shape.query) return {};
  const query: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(shape.query.properties)) {
    const values = search.getAll(name);
    if (values.length > 0) query[name] = coerce(schema, values);
  }
  checks.demand(shape.query, query);
  return query;
}

// What cannot be coerced stays as it is, so that the check names it.
function coerce(schema: TSchema, values: string[]): unknown {
  const type = isRecord(schema) && 'type' in schema ? schema['type'] : undefined;
  if (type === 'array') return values;
  const value = values.at(-1) ?? '';
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  const isNumber = type === 'integer' || type === 'number';
  return isNumber && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

/** The JSON body, checked. None at all counts as an empty object, so it will do where every field is optional. */
export function readBody(checks: SchemaChecks, shape: OperationShape, text: string): unknown {
  if (!shape.body) return undefined;
  const body = text.trim() === '' ? {} : parse(text);
  checks.demand(shape.body, body);
  return body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'The body is not valid JSON');
  }
}
