// From the files that were written to a whole tree: unchanged files are linked into it, and so is what a person has put there.
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { AppError, codeOf } from '../base/index.ts';
import { INDEX, type ExportIndex } from './written/export-index.ts';
import { GIT_LINK, othersGit } from './git/git-place.ts';
import { MANIFEST, SUMS } from './written/manifest.ts';
import { refuseMounts } from './files/mounts.ts';
import type { Pace } from './files/pace.ts';
import { Spelling } from './written/spelling.ts';
import { hashOfFile } from './written/sums.ts';
import type { Places } from './files/swap.ts';
import type { TreeWriter } from './files/tree-writer.ts';
import { isFolderPath, walkAll } from './files/walk-files.ts';

export interface Assembly {
  readonly places: Places;
  readonly index: ExportIndex;
  readonly writer: TreeWriter;
  readonly pace: Pace;
}

const AT_ONCE = 1000;
/** Names of the files that stand at the root of each export for its own sake. */
export const OWN: ReadonlySet<string> = new Set([
  SUMS,
  MANIFEST,
  INDEX,
  GIT_LINK,
  `${INDEX}-wal`,
  `${INDEX}-shm`,
  `${INDEX}-journal`,
]);

/** True for one of these files. */
export function isOwn(path: string): boolean {
  return OWN.has(path);
}

/** Of these files none may be a folder; a repository may. */
function isList(path: string): boolean {
  return isOwn(path) && path !== GIT_LINK;
}

/** Links the files that stay as they are into the new tree. */
export async function linkKept({ places, index, writer, pace }: Assembly): Promise<void> {
  for (let rows = index.keptAfter('', AT_ONCE); rows.length > 0;) {
    for (const { path } of rows) {
      const place = writer.placeOf(path);
      if (!linkOrCopy(join(places.target, path), place)) index.setTime(path, statSync(place).mtimeMs);
      if (pace.step()) await pace.rest();
    }
    rows = index.keptAfter(rows.at(-1)?.path ?? '', AT_ONCE);
  }
}

/**
 * Takes along what is in the last export and is none of ours; answers how many files that are. Throws DM_USAGE with the name of a file
 * or folder that cannot be kept where it is.
 */
export async function linkForeign({ places, index, writer, pace }: Assembly): Promise<number> {
  const { target } = places;
  refuseMounts(target);
  const folders: string[] = [];
  let kept = 0;
  const isOurs = (path: string): boolean =>
    isFolderPath(path) ? index.isOurFolder(path) : isOwn(path) || index.isOurs(path);
  const spelling = new Spelling({
    root: target,
    written: (folder) => [...index.namesIn(folder), ...(folder === '' ? OWN : [])],
  });
  for (const listed of walkAll(target)) {
    if (pace.step()) await pace.rest();
    const path = isOurs(listed) ? listed : spelling.of(listed);
    if (isFolderPath(path)) {
      if (isList(path.slice(0, -1))) throw cannotKeep(path);
      refuseClosed(path, join(target, path));
      if (!isOurs(path)) folders.push(path);
    } else if (!isOurs(path)) {
      keepForeign(path, join(target, path), writer);
      kept += 1;
    }
  }
  // Nobody counts it: where it is ours, it is made anew.
  if (othersGit(target) === 'link') keepForeign(GIT_LINK, join(target, GIT_LINK), writer);
  // The innermost first: one that nobody may write into has taken in what belongs into it by then.
  for (const folder of folders.toReversed()) keepFolder(folder, join(target, folder), writer);
  return kept;
}

/** Throws DM_USAGE with the name of a file that a person has put where a new one of the export lies. Folders are in nobody's way by then. */
export async function refuseOverwriting({ places, index, pace }: Assembly): Promise<void> {
  for (let rows = index.newcomersAfter('', AT_ONCE); rows.length > 0;) {
    for (const { path, sha256 } of rows) {
      if (pace.step()) await pace.rest();
      await refuseOther(path, join(places.target, path), sha256);
    }
    rows = index.newcomersAfter(rows.at(-1)?.path ?? '', AT_ONCE);
  }
}

// A copy of what is written is no loss. Of a folder each file is looked at by itself.
async function refuseOther(path: string, existing: string, sha256: Buffer): Promise<void> {
  const found = lstatSync(existing, { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory()) return;
  if (found.isFile() && (await hashOfFile(existing)) === sha256.toString('hex')) return;
  throw cannotKeep(path);
}

function keepForeign(path: string, existing: string, writer: TreeWriter): void {
  try {
    linkOrCopy(existing, writer.placeOf(path));
  } catch (error) {
    throw cannotKeep(path, error);
  }
}

/** One that this user cannot look into, or not empty once the new tree is there, would end this export or the next one in the middle. */
function refuseClosed(path: string, folder: string): void {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    // Its owner can open it again.
    if (statSync(folder).uid !== process.geteuid?.()) accessSync(folder, constants.W_OK);
  } catch (cause) {
    const message = `Cannot export to this folder: ${JSON.stringify(path)} in it is closed to this user; expected one to read and write in`;
    const hint = 'Let this user read and write there, or move it elsewhere. The export was left as it is.';
    throw new AppError('DM_USAGE', message, { hint, cause });
  }
}

/** A folder that holds nothing, as a repository needs some, and one that not everybody may enter, stays so. */
function keepFolder(path: string, existing: string, writer: TreeWriter): void {
  try {
    const place = writer.placeOf(path.slice(0, -1));
    mkdirSync(place, { recursive: true });
    const { mode, uid, gid } = statSync(existing);
    const made = statSync(place);
    // Who may not give a folder away can do without: what is in it stays whose it is, and who shares it still gets in by its group.
    if (made.uid !== uid) unlessRefused(() => chownSync(place, uid, made.gid));
    if (made.gid !== gid) unlessRefused(() => chownSync(place, -1, gid));
    chmodSync(place, mode & 0o7777);
  } catch (error) {
    throw cannotKeep(path, error);
  }
}

function unlessRefused(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (codeOf(error) !== 'EPERM') throw error;
  }
}

function cannotKeep(path: string, cause?: unknown): AppError {
  const message = `Cannot export to this folder: ${JSON.stringify(path)} in it is not Docmirror's and cannot be kept there`;
  return new AppError('DM_USAGE', message, { hint: 'Move it elsewhere. The export was left as it is.', cause });
}

/** One more name for a file; a copy, with false as the answer, where the file system has no links. */
export function linkOrCopy(existing: string, place: string, link: typeof linkSync = linkSync): boolean {
  try {
    link(existing, place);
    return true;
  } catch (error) {
    if (isInTheWay(error)) throw error;
    const found = lstatSync(existing);
    if (found.isSymbolicLink()) symlinkSync(readlinkSync(existing), place);
    else if (found.isFile()) copyFileSync(existing, place, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    else throw error;
    return false;
  }
}

function isInTheWay(error: unknown): boolean {
  return ['EEXIST', 'ENOTDIR', 'ENOENT'].includes(codeOf(error) ?? '');
}
