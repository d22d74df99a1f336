// Replacing a whole folder at once, and tidying up after a process that was killed while it did.
import { existsSync, lstatSync, readdirSync, renameSync } from 'node:fs';
import { lstat, readdir, realpath, rename } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { AppError, codeOf, count, fsyncDirectory, makeFolders, takePassingLock } from '../../base/index.ts';
import { MANIFEST } from '../written/manifest.ts';
import type { Pace } from './pace.ts';
import { isFolderAt, isInUse, removeFolder } from './walk-files.ts';

/** Where an export lies, where the next one is built, where the last one waits to be removed, and the lock; all in one folder. */
export interface Places {
  readonly target: string;
  readonly building: string;
  readonly retired: string;
  readonly lock: string;
}

/** The places of an export. Follows a link at the target, so that the link stays. Makes the folder above. */
export async function placesOf(to: string): Promise<Places> {
  const target = existsSync(to) ? await realpath(to) : resolve(to);
  const above = dirname(target);
  const name = basename(target);
  if (name === '') throw refused(to, 'it is the root of the disk');
  const isLink = await makeFolders(above)
    .then(() => lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    .catch((error: unknown) => {
      throw unmade(target, error);
    });
  if (isLink) throw refused(target, 'it is a link to what is not there');
  // Names nobody else uses: `content.old` may well be a copy that somebody made.
  const beside = (what: string): string => join(above, `.${name}.docmirror-${what}`);
  return { target, building: beside('new'), retired: beside('old'), lock: beside('lock') };
}

/** Keeps other exports out of the folder: each takes what another one builds for the remains of a kill. Throws DM_ALREADY_RUNNING. */
export function holdPlace(places: Places): Disposable {
  const { target } = places;
  const held = takeLock(places);
  if (held !== null) return held;
  throw new AppError('DM_ALREADY_RUNNING', `Another export to ${target} is under way; expected one at a time`, {
    hint: 'Wait until it ends, then run the same command again, or export to another folder. Nothing was changed.',
  });
}

function takeLock({ target, lock }: Places): Disposable | null {
  try {
    return takePassingLock(lock);
  } catch (error) {
    throw unmade(target, error);
  }
}

/** Brings the folder back to one whole tree after a kill at any point. */
export async function recover({ target, building, retired }: Places, pace: Pace): Promise<void> {
  // The target is missing only between the two renames of a swap, and by then the new tree is whole.
  if (!existsSync(target) && isFolderAt(retired)) await rename(isFolderAt(building) ? building : retired, target);
  await removeFolder(building, pace);
  for (const left of leftInUse(retired)) await removeUnlessInUse(left, pace);
  await removeRetired(retired, pace);
}

/** What is in use goes out of the way of the next swap, and with a later export. */
async function removeRetired(retired: string, pace: Pace): Promise<void> {
  if (!(await removeUnlessInUse(retired, pace))) await rename(retired, freeName(retired));
}

const LEFT_IN_USE = /^-\d+$/;

function freeName(retired: string, number = 1): string {
  const name = `${retired}-${number}`;
  return existsSync(name) ? freeName(retired, number + 1) : name;
}

function leftInUse(retired: string): string[] {
  const [above, name] = [dirname(retired), basename(retired)];
  const isLeft = (one: string): boolean => one.startsWith(name) && LEFT_IN_USE.test(one.slice(name.length));
  return namesIn(above)
    .filter(isLeft)
    .map((one) => join(above, one));
}

/** None of a folder that this user may not look around in. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'EACCES') return [];
    throw error;
  }
}

/** False for what is in use: all else of it is gone. */
async function removeUnlessInUse(retired: string, pace: Pace): Promise<boolean> {
  try {
    await removeFolder(retired, pace);
    return true;
  } catch (error) {
    if (isInUse(error)) return false;
    const code = codeOf(error);
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    throw new AppError('DM_USAGE', `What is left of the last export cannot be removed: ${String(error)}`, {
      hint: `Remove ${retired} as the owner of what is in it, or as an administrator. The export that is in place is whole.`,
      cause: error,
    });
  }
}

/** Puts the built tree in the target's place. A reader finds the old tree or the new one; for an instant none. */
export async function swapIn({ target, building, retired }: Places, pace: Pace): Promise<void> {
  try {
    // In one turn: another thread may be slow to begin, and between the two there is no folder.
    if (existsSync(target)) renameSync(target, retired);
    renameSync(building, target);
  } catch (error) {
    if (!existsSync(target) && existsSync(retired)) await rename(retired, target);
    const code = codeOf(error);
    if (code === 'EBUSY' || code === 'EXDEV') throw refused(target, 'it is where a disk is mounted', error);
    throw error;
  }
  await fsyncDirectory(dirname(target));
  await removeRetired(retired, pace);
}

/** What the system says of a place in which there can be no folder, in words of ours; any other error as it is. */
export function unmade(target: string, error: unknown): unknown {
  const why = UNMADE.get(codeOf(error) ?? '');
  return why === undefined ? error : refused(target, why, error);
}

const UNMADE: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no folder can be made there'],
  ['EEXIST', 'a file stands where a folder must be'],
  ['ENOTDIR', 'a file stands where a folder must be'],
  ['EACCES', 'this user may not write there'],
  ['EPERM', 'this user may not write there'],
  ['EROFS', 'its disk can only be read'],
  ['ENAMETOOLONG', 'its name, or one beside it, is longer than the system takes'],
  ['ELOOP', 'its links lead in a circle'],
]);

/** Throws DM_USAGE when the target holds something that is not an export. */
export async function refuseForeign({ target }: Places): Promise<void> {
  if (!existsSync(target)) return;
  if (!(await lstat(target)).isDirectory()) throw refused(target, 'it is not a folder');
  const found = await readdir(target);
  if (found.length > 0 && !existsAsFile(join(target, MANIFEST))) {
    throw refused(target, `it holds ${count(found.length, 'entry')} and no ${MANIFEST}`);
  }
}

function existsAsFile(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.isFile() === true;
}

function refused(target: string, why: string, cause?: unknown): AppError {
  return new AppError('DM_USAGE', `Cannot export to ${target}: ${why}; expected an empty folder or an earlier export`, {
    hint: 'Name a folder that does not exist yet, in one that you may write to. Nothing was changed.',
    cause,
  });
}
