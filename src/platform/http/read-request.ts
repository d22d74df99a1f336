import type { IncomingMessage } from 'node:http';
import { isNestedDeeper } from '../../base/index.ts';
import { type OperationShape, Refusal, type SchemaChecks } from '../../contract/index.ts';

const MAX_BODY_BYTES = 16 * 1024 * 1024;
const MOST_DEPTH = 500;

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

/** The JSON body, checked. None at all counts as an empty object, so it will do where every field is optional. */
export function readBody(checks: SchemaChecks, shape: OperationShape, text: string): unknown {
  if (!shape.body) return undefined;
  const body = text.trim() === '' ? {} : parseJson(text);
  checks.demand(shape.body, body);
  return body;
}

/** The text as JSON; 400 when it is none. */
export function parseJson(text: string): unknown {
  const value = parsed(text);
  // What is checked, stored and shown goes down into a value step by step, and would run out of stack.
  if (isNestedDeeper(value, MOST_DEPTH)) throw new Refusal(400, `The body is nested more than ${MOST_DEPTH} deep`);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'The body is not valid JSON');
  }
}
