// Immutable bytes named by their SHA-256: objects/ab/cdef…
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf, fsyncDirectory, resolveInside } from '../../base/index.ts';

/** An object as the database names it. */
export interface NamedObject {
  /** SHA-256 of its bytes. */
  readonly object: string;
  readonly size: number;
}

export interface ObjectStore {
  readonly folder: string;
  has(sha256: string): boolean;
  /** Throws DM_PATH_OUTSIDE for what is no name of an object. */
  pathOf(sha256: string): string;
  sizeOf(sha256: string): number | null;
  /** A place for a download, inside the store and so on the same file system; `adopt` or remove it afterwards. */
  temporary(name: string): string;
  /** Removes what downloads left there that were cut off by a kill. Only for the one writer, before it downloads anything. */
  dropTemporary(): void;
  /** Moves fully written bytes to their name. Whole bytes that are there already are kept and the temporary file goes. */
  adopt(temporaryPath: string, sha256: string): Promise<void>;
  /** Names of all objects. */
  list(): IterableIterator<string>;
  /** Reads the bytes again and compares them with their name; false too when the disk cannot read them any more. */
  verify(sha256: string): Promise<boolean>;
}

export function createObjectStore(root: string): ObjectStore {
  const below = (sha256: string): string => join(sha256.slice(0, 2), sha256.slice(2));
  const pathOf = (sha256: string): string => resolveInside(root, below(sha256));
  const incoming = join(root, 'incoming');
  return {
    folder: root,
    pathOf,
    // What is closed to this user is no missing one: that would be told to be read again.
    has: (sha256) => isObject(sha256) && statSync(pathOf(sha256), { throwIfNoEntry: false }) !== undefined,
    sizeOf: (sha256) => (isObject(sha256) ? (statSync(pathOf(sha256), { throwIfNoEntry: false })?.size ?? null) : null),
    temporary: (name) => {
      mkdirSync(incoming, { recursive: true, mode: 0o700 });
      return join(incoming, name);
    },
    dropTemporary: () => rmSync(incoming, { recursive: true, force: true }),
    adopt: (temporaryPath, sha256) => adopt(temporaryPath, { target: pathOf(sha256), sha256 }),
    list: () => listObjects(root),
    verify: (sha256) => verify(pathOf(sha256), sha256),
  };
}

/** A mirror that somebody else has made may name whatever file it likes. */
function isObject(name: string): boolean {
  return /^\w[\w.-]*$/.test(name) && !name.includes('..');
}

async function adopt(
  temporaryPath: string,
  { target, sha256 }: { readonly target: string; readonly sha256: string },
): Promise<void> {
  // Damaged ones are replaced, those that cannot be read too: reading them again is the only way to have them whole.
  if (await hasHash(target, sha256).catch(() => false)) {
    rmSync(temporaryPath, { force: true });
    return;
  }
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const handle = await open(temporaryPath, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  renameSync(temporaryPath, target);
  await fsyncDirectory(dirname(target));
}

function* listObjects(root: string): IterableIterator<string> {
  if (!existsSync(root)) return;
  for (const folder of readdirSync(root)) {
    if (folder.length !== 2) continue;
    for (const rest of readdirSync(join(root, folder))) yield folder + rest;
  }
}

async function verify(path: string, sha256: string): Promise<boolean> {
  try {
    return await hasHash(path, sha256);
  } catch (error) {
    // A bad sector is damage of this one object; other errors speak of more.
    if (codeOf(error) === 'EIO') return false;
    throw error;
  }
}

async function hasHash(path: string, sha256: string): Promise<boolean> {
  if (!existsSync(path)) return false;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex') === sha256;
}
