// How bytes were changed on the way, as the answer says of itself. They are asked for as they are; some stores send what they once
// compressed in that form to everybody, and some of what stands before a platform compresses whatever is asked.
import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  gunzipSync,
  inflateSync,
} from 'node:zlib';
import type { Transform } from 'node:stream';
import { codeOf } from '../base/index.ts';
import { BodyTooLarge } from './exchange.ts';
import { headerOf, type ResponseHeaders } from './rate-headers.ts';

// Stores say "plain" with an empty header too, and give out the frame in which a file once came to them (S3 takes this word off).
const PLAIN: ReadonlySet<string> = new Set(['', 'identity', 'aws-chunked']);

interface Decoder {
  /** Of bytes that pass. */
  readonly passing: () => Transform;
  /** Of bytes that are held whole. Throws for what is not so coded, and for more than the bound. */
  readonly whole: (bytes: Buffer, bounds: { readonly maxOutputLength: number }) => Buffer;
}

const GZIP: Decoder = { passing: createGunzip, whole: gunzipSync };

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: GZIP,
  'x-gzip': GZIP,
  deflate: { passing: createInflate, whole: inflateSync },
  br: { passing: createBrotliDecompress, whole: brotliDecompressSync },
};

/** `plain`: the bytes are the file. `coded`: they are once decoded. `unknown`: nothing here decodes them. */
export type Encoding =
  | { readonly is: 'plain' }
  | { readonly is: 'coded'; readonly name: string; readonly decoders: () => readonly Transform[] }
  | { readonly is: 'unknown'; readonly name: string };

/** What was applied, in its order, in however many headers it is said: what stands in front of a store may add its own to that of the store. */
export function codingsOf(headers: ResponseHeaders): string[] {
  const said = [headers['content-encoding'] ?? []].flat();
  const names = said.flatMap((one) => one.split(',')).map((one) => one.trim().toLowerCase());
  return names.filter((one) => !PLAIN.has(one));
}

/** The bytes of an answer that is held whole, decoded; as they are where they are not what is said of them; BodyTooLarge for more than `most`. */
export function decodedWhole(bytes: Buffer, headers: ResponseHeaders, most: number): Buffer | BodyTooLarge {
  const codings = codingsOf(headers);
  if (codings.length === 0 || bytes.byteLength === 0) return bytes;
  const bounds = { maxOutputLength: most };
  try {
    return codings.reduceRight((coded, name) => decoderOf(name)?.whole(coded, bounds) ?? coded, bytes);
  } catch (error) {
    return isTooLarge(error) ? new BodyTooLarge(`more than ${most} bytes once decoded`) : bytes;
  }
}

function isTooLarge(error: unknown): boolean {
  return codeOf(error) === 'ERR_BUFFER_TOO_LARGE';
}

function decoderOf(name: string): Decoder | undefined {
  return Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
}

/** More of them than a store, and what stands before it, add to a file. */
const MOST_CODINGS = 4;

export function encodingOf(headers: ResponseHeaders): Encoding {
  const codings = codingsOf(headers);
  if (codings.length === 0) return { is: 'plain' };
  const name = codings.join(', ');
  const decoders = codings.flatMap((one) => decoderOf(one) ?? []);
  if (decoders.length < codings.length || codings.length > MOST_CODINGS) return { is: 'unknown', name };
  // What was applied last is taken off first.
  return { is: 'coded', name, decoders: () => decoders.toReversed().map(({ passing }) => passing()) };
}

/**
 * True where as many bytes are sent as the file has. They may be the file, whatever is said of them: an archive is called "gzip" where
 * a server goes by the end of its name, and people set "utf-8" or "none" where a store asks for an encoding. A small text may be as long
 * in its encoding, so what they are shows when they are decoded.
 */
export function mayBeTheFile(headers: ResponseHeaders, expectedSize: number | undefined): boolean {
  return expectedSize !== undefined && headerOf(headers, 'content-length') === String(expectedSize);
}
