import { hash } from 'node:crypto';

const BYTES = 16;

/** What a text is known by and checked against: the first bytes of its SHA-256. */
export function bodyHash(text: string): Buffer {
  // By way of hex: a buffer of its own for each would cost more than the digits.
  return Buffer.from(hash('sha256', text, 'hex').slice(0, 2 * BYTES), 'hex');
}
