import type { IncomingMessage } from 'node:http';
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
  if (isTooDeep(text)) throw new Refusal(400, `The body is nested more than ${MOST_DEPTH} deep`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'The body is not valid JSON');
  }
}

// What is checked, stored and shown goes down into a value step by step, and would run out of stack.
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isString = !isString;
    else if (code === BACKSLASH) at++;
    else if (isString) continue;
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) depth++;
    else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth--;
    if (depth > MOST_DEPTH) return true;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_ARRAY, OPEN_OBJECT, CLOSE_ARRAY, CLOSE_OBJECT] = ['"', '\\', '[', '{', ']', '}'].map(
  (character) => character.charCodeAt(0),
);
