import { createHash } from 'node:crypto';

const BYTES = 16;

/** What a text is known by and checked against: the first bytes of its SHA-256. */
export function bodyHash(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, BYTES);
}
