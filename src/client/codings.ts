// How the bytes of a file were changed on the way, as the answer says of itself. They are asked for as they are; some stores send
// what they once compressed in that form to everybody.
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Transform } from 'node:stream';
import { headerOf, type ResponseHeaders } from './rate-headers.ts';

// Stores say "plain" with an empty header too, and give out the frame in which a file once came to them (S3 takes this word off).
const PLAIN: ReadonlySet<string> = new Set(['', 'identity', 'aws-chunked']);

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** `plain`: the bytes are the file. `coded`: they are once decoded. `unknown`: nothing here decodes them. */
export type Encoding =
  | { readonly is: 'plain' }
  | { readonly is: 'coded'; readonly name: string; readonly decoder: () => Transform }
  | { readonly is: 'unknown'; readonly name: string };

export function encodingOf(headers: ResponseHeaders): Encoding {
  const names = (headerOf(headers, 'content-encoding') ?? '').split(',').map((one) => one.trim().toLowerCase());
  const name = names.filter((one) => !PLAIN.has(one)).join(', ');
  if (name === '') return { is: 'plain' };
  const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  return decoder === undefined ? { is: 'unknown', name } : { is: 'coded', name, decoder };
}

/**
 * True where as many bytes are sent as the file has. They may be the file, whatever is said of them: an archive is called "gzip" where
 * a server goes by the end of its name. A small text may be as long in its encoding, so what they are shows when they are decoded.
 */
export function mayBeTheFile(headers: ResponseHeaders, expectedSize: number | undefined): boolean {
  return expectedSize !== undefined && headerOf(headers, 'content-length') === String(expectedSize);
}
