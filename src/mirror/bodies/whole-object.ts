import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { codeOf, type Pieces } from '../../base/index.ts';
import type { NamedObject } from './objects.ts';

// So many are read and hashed in a few milliseconds.
const CHUNK_BYTES = 1024 * 1024;

/** Whether the bytes of an object are what they were; false too when the disk cannot read them any more. Holds few of them at a time. */
export function* isWholeObject(path: string, { object, size }: NamedObject): Pieces<boolean> {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.size !== size) return false;
    return (yield* hashOfBytes(path)) === object;
  } catch (error) {
    if (codeOf(error) === 'EIO') return false;
    throw error;
  }
}

function* hashOfBytes(path: string): Pieces<string> {
  const hash = createHash('sha256');
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      hash.update(chunk.subarray(0, read));
      yield;
    }
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}
