import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { isNestedDeeper } from '../../base/index.ts';
import { type OperationShape, Refusal, type SchemaChecks } from '../../contract/index.ts';

const MAX_BODY_BYTES = 16 * 1024 * 1024;
const MOST_DEPTH = 500;
const ESCAPED_HALF = /\\ud[89a-f]/i;
const HALF = /\p{Surrogate}/u;

/** The body as text; refuses more than 16 MiB, however little the request announced, and bytes that are no UTF-8. */
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
    incoming.on('end', () => {
      const text = textOf(Buffer.concat(chunks));
      if (text === undefined) reject(new Refusal(400, 'The body is not UTF-8'));
      else resolve(text);
    });
    // Only a request that was cut off fails, or closes before its end.
    const cut = (): void => reject(new Refusal(400, 'The body ended early'));
    incoming.on('error', cut);
    incoming.on('close', cut);
  });
}

// Other bytes would be stored as something that nobody sent.
function textOf(bytes: Buffer): string | undefined {
  // A mark of the order of bytes may come first, and is no part of the text.
  return isUtf8(bytes) ? bytes.toString('utf8').replace(/^\uFEFF/, '') : undefined;
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
  if (ESCAPED_HALF.test(text)) demandWholeCharacters(text);
  return value;
}

// Half a character, which only JSON can write, can be neither stored nor sent back.
function demandWholeCharacters(text: string): void {
  JSON.parse(text, (key, value: unknown) => {
    const half = [key, value].find((one) => typeof one === 'string' && HALF.test(one));
    if (half === undefined) return value;
    throw new Refusal(400, `${key}: holds half of a character (an unpaired surrogate)`);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'The body is not valid JSON');
  }
}
