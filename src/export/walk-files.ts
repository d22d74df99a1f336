import { opendirSync, rmdirSync, unlinkSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import type { Pace } from './pace.ts';

/**
 * Paths of everything in a folder that is no folder itself, joined by `/` and relative to it, in the order of their bytes. Links are
 * not followed. Node 20's own recursive reading leaves entries out when there are many folders.
 */
export function* walkFiles(root: string, folder = ''): Generator<string> {
  for (const entry of entriesOf(join(root, folder))) {
    if (entry.isFolder) yield* walkFiles(root, folder + entry.name);
    else yield folder + entry.name;
  }
}

/** Deletes a folder with all it holds, without keeping others from going on; does nothing when there is none. */
export async function removeFolder(root: string, pace: Pace): Promise<void> {
  for (const { name, isFolder } of entriesOf(root)) {
    if (isFolder) await removeFolder(join(root, name), pace);
    else unlinkSync(join(root, name));
    if (pace.step()) await pace.rest();
  }
  try {
    rmdirSync(root);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

const ASCII = /^[\x20-\x7e]*$/;

interface Entry {
  /** With `/` at its end when it is a folder: so the order of entries is that of whole paths. */
  readonly name: string;
  readonly isFolder: boolean;
}

function entriesOf(folder: string): Entry[] {
  const entries: Entry[] = [];
  try {
    using directory = open(folder);
    for (let entry = directory.read(); entry !== null; entry = directory.read()) {
      const isFolder = entry.isDirectory();
      entries.push({ name: isFolder ? `${entry.name}/` : entry.name, isFolder });
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  // Asked once, not at each comparison.
  const isPlain = entries.every(({ name }) => ASCII.test(name));
  return entries.sort(isPlain ? (a, b) => (a.name < b.name ? -1 : 1) : (a, b) => compareBytes(a.name, b.name));
}

function open(folder: string): Disposable & { read: () => Dirent | null } {
  const directory = opendirSync(folder, { bufferSize: 256 });
  return { read: () => directory.readSync(), [Symbol.dispose]: () => directory.closeSync() };
}

/** The order of two paths by their bytes, which is that of SQLite and of `LC_ALL=C sort`. */
export function compareBytes(a: string, b: string): number {
  if (ASCII.test(a) && ASCII.test(b)) return a < b ? -1 : a > b ? 1 : 0;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
