import { chmodSync, lstatSync, readdirSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../base/index.ts';
import type { Pace } from './pace.ts';

/**
 * Paths of everything in a folder that is no folder itself, joined by `/` and relative to it, in the order of their bytes. Links are
 * not followed. Node 20's own recursive reading leaves entries out when there are many folders.
 */
export function* walkFiles(root: string): Generator<string> {
  for (const path of walkAll(root)) if (!isFolderPath(path)) yield path;
}

/** The same with the folders, each before what it holds, and with `/` at its end. */
export function* walkAll(root: string, folder = ''): Generator<string> {
  for (const { name, isFolder } of inOrder(entriesOf(join(root, folder)))) {
    yield folder + name;
    if (isFolder) yield* walkAll(root, folder + name);
  }
}

/** True for a path that `walkAll` gives for a folder. */
export function isFolderPath(path: string): boolean {
  return path.endsWith('/');
}

/** How many paths `walkFiles` would give, at a third of the cost; of those at the root only the ones that count. */
export async function countFiles(root: string, pace: Pace, counts: (name: string) => boolean): Promise<number> {
  let found = 0;
  for (const { name, isFolder } of entriesOf(root)) {
    if (isFolder) found += await countFiles(join(root, name), pace, () => true);
    else if (counts(name)) found += 1;
  }
  if (pace.step()) await pace.rest();
  return found;
}

/**
 * Deletes a folder with all it holds, without keeping others from going on; does nothing when there is none. Of a link, the link alone.
 * What is in use is thrown when all else is gone.
 */
export async function removeFolder(root: string, pace: Pace): Promise<void> {
  if (isFolderAt(root)) {
    await emptyFolder(root, pace);
    rmdirSync(root);
  } else rmSync(root, { force: true });
}

/** True for a folder itself, not for what leads to one. */
export function isFolderAt(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}

async function emptyFolder(folder: string, pace: Pace): Promise<void> {
  const inUse: unknown[] = [];
  for (const { name, isFolder } of opened(folder, () => entriesOf(folder))) {
    const place = join(folder, name);
    try {
      if (isFolder) await emptyFolder(place, pace);
      opened(folder, () => (isFolder ? rmdirSync(place) : unlinkSync(place)));
    } catch (error) {
      if (!isInUse(error)) throw error;
      inUse.push(error);
    }
    if (pace.step()) await pace.rest();
  }
  if (inUse.length > 0) throw inUse[0];
}

/**
 * What somebody has open stays on disks of the network and of programs (NFS, FUSE), under a hidden name, until it is closed, and so does
 * the folder that it lies in.
 */
export function isInUse(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOTEMPTY' || code === 'EBUSY';
}

/** What is done in a folder; one that its owner, who this is, has closed to everybody is opened for it. */
function opened<T>(folder: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (codeOf(error) !== 'EACCES') throw error;
    try {
      chmodSync(folder, 0o700);
    } catch {
      throw error;
    }
    return act();
  }
}

const ASCII = /^[\x20-\x7e]*$/;

interface Entry {
  /** With `/` at its end when it is a folder: so the order of entries is that of whole paths. */
  readonly name: string;
  readonly isFolder: boolean;
}

function entriesOf(folder: string): Entry[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).map((entry) => {
      const isFolder = entry.isDirectory();
      return { name: isFolder ? `${entry.name}/` : entry.name, isFolder };
    });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function inOrder(entries: Entry[]): Entry[] {
  // Asked once, not at each comparison.
  const isPlain = entries.every(({ name }) => ASCII.test(name));
  return entries.sort(isPlain ? (a, b) => (a.name < b.name ? -1 : 1) : (a, b) => compareBytes(a.name, b.name));
}

/** The order of two paths by their bytes, which is that of SQLite and of `LC_ALL=C sort`. */
export function compareBytes(a: string, b: string): number {
  if (ASCII.test(a) && ASCII.test(b)) return a < b ? -1 : a > b ? 1 : 0;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}
