// What is known of the last export, so that only what changed is made: its index, and the list of its files.
import { chmodSync, constants, copyFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../base/index.ts';
import type { Places } from '../files/swap.ts';
import { ExportIndex, INDEX } from './export-index.ts';
import { SUMS, type Manifest } from './manifest.ts';
import { hashOfFile, readSums, stampOf } from './sums.ts';

interface IndexWanted {
  /** For this user only; else the mask decides. */
  readonly ownOnly: boolean;
  /** Nothing that the last one noted is to be used. */
  readonly anew: boolean;
}

/** True when the last export has an index. */
export function hasIndex({ target }: Pick<Places, 'target'>): boolean {
  return statSync(join(target, INDEX), { throwIfNoEntry: false })?.isFile() === true;
}

/** The index of the last export as a copy to work on; a new one when there is none that can be read. */
export function openIndex({ target, building }: Places, { ownOnly, anew }: IndexWanted): ExportIndex {
  const path = join(building, INDEX);
  if (!anew && hasIndex({ target }) && isCopied(join(target, INDEX), path, ownOnly)) {
    try {
      return new ExportIndex(path, ownOnly);
    } catch {
      // It only saves work: without it everything is made again.
      for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true });
    }
  }
  return new ExportIndex(path, ownOnly);
}

/** False where it is closed to this user, as one that root has written: then the next one is written anew, and is this user's. */
function isCopied(last: string, path: string, ownOnly: boolean): boolean {
  try {
    copyIndex(last, path, ownOnly);
    return true;
  } catch (error) {
    rmSync(path, { force: true });
    if (codeOf(error) === 'EACCES') return false;
    throw error;
  }
}

/** A copy has the mode of the file it is made of; beside files that the mask decides about it is as open as a new one would be. */
function copyIndex(last: string, path: string, ownOnly: boolean): void {
  writeFileSync(path, '', { mode: ownOnly ? 0o600 : 0o666 });
  const { mode } = statSync(path);
  copyFileSync(last, path, constants.COPYFILE_FICLONE);
  if (!ownOnly) chmodSync(path, mode & 0o7777);
}

/** Where the last export has no index, its files are known by its list of sums; false when there is no list, or another one. */
export async function readFormer(
  index: ExportIndex,
  target: string,
  manifest: Partial<Manifest> | null,
): Promise<boolean> {
  const list = join(target, SUMS);
  if (manifest === null || (await hashOfFile(list)) !== manifest.sums) return false;
  for await (const { path } of readSums(list)) index.addFormer([path]);
  return true;
}

/** True when the list of sums is still the one that was written. It is read and hashed only where its time or size says that it may not be. */
export async function hasSums(
  { told }: ExportIndex,
  target: string,
  manifest: Partial<Manifest> | null,
): Promise<boolean> {
  const list = join(target, SUMS);
  if (manifest?.sums === undefined) return false;
  if (told.sums === manifest.sums && told.list === stampOf(list)) return true;
  return (await hashOfFile(list)) === manifest.sums;
}
