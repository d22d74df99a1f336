import type { IncomingMessage } from 'node:http';
import type { TSchema } from 'typebox';
import type { OperationShape } from '../../contract/index.ts';
import { isRecord } from '../../base/index.ts';
import { Refusal } from '../refusal.ts';
import type { SchemaChecks } from './validator.ts';

const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** The body as text; refuses more than 16 MiB, however little the request announced. */
export function readText(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const tooLarge = new Refusal(413, `The body is larger than ${MAX_BODY_BYTES} bytes`);
    if (Number(incoming.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return reject(tooLarge);
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else {
        // What follows is read and dropped, so that the refusal arrives.
        chunks.length = 0;
        reject(tooLarge);
      }
    });
    incoming.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    incoming.on('error', reject);
    // Only a request that was cut off closes before its end.
    incoming.on('close', () => reject(new Refusal(400, 'The body ended early')));
  });
}

/** The query as the contract types it; unknown parameters are left out. */
export function readQuery(checks: SchemaChecks, shape: OperationShape, search: string): object {
  if (!shape.query) return {};
  const query: Record<string, unknown> = {};
  if (search !== '') {
    const given = new URLSearchParams(search);
    for (const [name, schema] of Object.entries(shape.query.properties)) {
      const values = given.getAll(name);
      if (values.length > 0) query[name] = coerce(schema, values);
    }
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
  const body = text.trim() === '' ? {} : parseJson(text);
  checks.demand(shape.body, body);
  return body;
}

/** The text as JSON; 400 when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'The body is not valid JSON');
  }
}
