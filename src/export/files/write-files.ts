import { closeSync, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { hash } from 'node:crypto';
import { dirname } from 'node:path';

/** Files to be written together. */
export interface Batch {
  readonly places: readonly string[];
  /** Where in `bytes` each of them ends; it begins where the one before it ends. */
  readonly ends: readonly number[];
  readonly bytes: Uint8Array;
}

/** What is known of files once they are on disk, in the order of their batch. */
export interface Landed {
  /** ms */
  readonly times: Float64Array;
  /** SHA-256 of each, one behind the other. */
  readonly hashes: Uint8Array;
}

export const HASH_BYTES = 32;

/** Writes files that are not there yet, with the folders above them. Throws what the system says. */
export function writeFiles({ places, ends, bytes }: Batch): Landed {
  const hashes = new Uint8Array(places.length * HASH_BYTES);
  const folders = new Set(places.map((place) => dirname(place)));
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  let start = 0;
  const times = Float64Array.from(places, (place, index) => {
    const end = ends[index] ?? start;
    const own = bytes.subarray(start, end);
    start = end;
    hashes.set(hash('sha256', own, 'buffer'), index * HASH_BYTES);
    return writeFile(place, own);
  });
  return { times, hashes };
}

function writeFile(place: string, bytes: Uint8Array): number {
  const file = openSync(place, 'wx');
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
    return fstatSync(file).mtimeMs;
  } finally {
    closeSync(file);
  }
}
