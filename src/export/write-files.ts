import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';

/** Files to be written together. */
export interface Batch {
  readonly places: readonly string[];
  /** Where in `bytes` each of them ends; it begins where the one before it ends. */
  readonly ends: readonly number[];
  readonly bytes: Uint8Array;
}

/** Writes files that are not there yet into folders that are; answers the time of each on disk, ms. Throws what the system says. */
export function writeFiles({ places, ends, bytes }: Batch): Float64Array {
  let start = 0;
  return Float64Array.from(places, (place, index) => {
    const end = ends[index] ?? start;
    const own = bytes.subarray(start, end);
    start = end;
    return writeFile(place, own);
  });
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
