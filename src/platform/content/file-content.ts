// What is known of a file without holding it.
import { createHash } from 'node:crypto';
import { contentTypeOf } from '../import/content-type.ts';
import { pictureSize, type PictureSize } from './picture-size.ts';

/** Answers the same bytes each time, a few at a time; of a file of none, one part of none. */
export type ReadParts = () => Iterable<Buffer>;

export interface FileContent {
  name: string;
  contentType: string;
  /** In bytes. */
  size: number;
  sha256: string;
  dimensions?: PictureSize;
  parts: ReadParts;
}

/** Bytes that are read at once. */
export const MOST_READ = 4 * 1024 * 1024;

/** Reads it once: its first bytes tell what it is, and how large where it is a picture. Throws what the reading throws. */
export function fileContent(name: string, parts: ReadParts): FileContent {
  const hash = createHash('sha256');
  let start: Buffer | null = null;
  let size = 0;
  for (const part of parts()) {
    start ??= part;
    size += part.length;
    hash.update(part);
  }
  start ??= Buffer.alloc(0);
  const dimensions = pictureSize(start);
  const contentType = contentTypeOf(name, start);
  return { name, contentType, size, sha256: hash.digest('hex'), ...(dimensions ? { dimensions } : {}), parts };
}

/** Parts of what is held anyway. */
export function* partsHeld(bytes: Buffer): Generator<Buffer> {
  if (bytes.length === 0) yield bytes;
  for (let at = 0; at < bytes.length; at += MOST_READ) yield bytes.subarray(at, at + MOST_READ);
}
