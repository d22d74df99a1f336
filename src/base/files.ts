import { closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { AppError, toAppError } from './errors.ts';
import { describeSystemError, GIVE_RIGHTS, whyFull } from './system-errors.ts';
import { codeOf } from './error-code.ts';

/** A pattern of paths. Only a shell knows what `~` and `$HOME` mean: a folder of that name would be made where nobody looks for it. */
export const WRITTEN_OUT = '^(?!~(?:/|$)|\\$[A-Za-z_{])';

/**
 * A pattern of paths that are written out, and of which nothing is unseen: a list of variables or a script whose lines end as on Windows
 * leaves a sign behind each of them, and a folder of that name would be made beside the one that is meant.
 */
export const CLEAN_PATH = `${WRITTEN_OUT}(?!\\s)[^\\x00-\\x1f\\x7f]*(?<!\\s)$`;

/** The folder itself, else the one that it would be made in. */
export function nearestFolder(folder: string): string {
  const above = path.dirname(folder);
  return existsSync(folder) || above === folder ? folder : nearestFolder(above);
}

/**
 * Writes a file so that at any instant there is either the old one or the whole new one: temporary file in the same folder, fsync,
 * rename, fsync of the folder. On failure the temporary file is removed and the old file is untouched; what a kill has left of one goes
 * with a later write. The folder must exist. A device or pipe is written to: a file in its place, such as one called /dev/null, would
 * be in everybody's way. Throws DM_DISK_FULL.
 */
export async function writeFileAtomic(file: string, data: string | Uint8Array, mode = 0o600): Promise<void> {
  try {
    await (isDevice(file) ? writeFile(file, data) : replaceFile(file, data, mode));
  } catch (error) {
    throw toAppError(error).code === 'DM_DISK_FULL' ? diskFull(file, error) : error;
  }
}

/** The disk may be another one than that of the data directory. */
function diskFull(file: string, cause: unknown): AppError {
  return new AppError('DM_DISK_FULL', `${file} cannot be written: ${whyFull(cause)}`, {
    hint: 'Mend that, or name a place on another disk, then run the same command again; nothing stored is lost.',
    cause,
  });
}

async function replaceFile(file: string, data: string | Uint8Array, mode: number): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    await writeDurably(temporary, data, mode);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await fsyncDirectory(path.dirname(file));
  // It is written; whoever may not look around in that folder leaves what is there.
  await sweepLeft(file).catch(() => undefined);
}

/** Removes what writers of this file left there that were killed: nobody has written to it for an hour. */
async function sweepLeft(file: string): Promise<void> {
  const { mtimeMs } = await stat(file);
  const { dir, base } = path.parse(file);
  for (const name of await readdir(dir || '.')) {
    if (!name.startsWith(`${base}.`) || !TEMPORARY.test(name.slice(base.length))) continue;
    const left = path.join(dir, name);
    // By the clock of the file system, which dated both.
    if (mtimeMs - (await stat(left)).mtimeMs > LEFT_MS) await rm(left, { force: true });
  }
}

const TEMPORARY = /^\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/;
const LEFT_MS = 3_600_000;

/** Also one that a link leads to, as /dev/stdout does. */
function isDevice(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

async function writeDurably(file: string, data: string | Uint8Array, mode: number): Promise<void> {
  const handle = await open(file, 'wx', mode);
  try {
    await handle.writeFile(data);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes renames and new names in a folder survive a power cut. */
export async function fsyncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Makes sure that the folder exists and can be written. A new one is for this user only (0700); the mode of an existing one is left
 * alone. Throws DM_DATA_DIR_UNUSABLE when a file is in the way or permission is missing.
 */
export async function ensurePrivateDirectory(directory: string): Promise<void> {
  try {
    await makeFolders(directory, 0o700);
    if (!(await stat(directory)).isDirectory()) throw unusable(directory, FILE_THERE);
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const code = codeOf(error) ?? String(error);
    if (toAppError(error).code === 'DM_DISK_FULL') throw error;
    throw unusable(directory, WHY_NO_FOLDER.get(code) ?? code, error);
  }
}

const FILE_THERE = 'a file is in its place';
const WHY_NO_FOLDER: ReadonlyMap<string, string> = new Map([
  ['EEXIST', FILE_THERE],
  ['ENOTDIR', FILE_THERE],
  ['ENOENT', 'no folder can be made there'],
]);

/**
 * Makes a folder and those above it where there is none; what stands there is left alone. The recursive `mkdir` of Node.js never ends
 * in `/proc`, where a folder that is missing cannot be made.
 */
export async function makeFolders(directory: string, mode = 0o777): Promise<void> {
  const above = path.dirname(directory);
  try {
    await mkdir(directory, { mode });
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await stat(directory)).isDirectory()) return;
    if (codeOf(error) !== 'ENOENT' || above === directory || existsSync(above)) throw error;
    await makeFolders(above, mode);
    await makeFolders(directory, mode);
  }
}

/** Makes an empty file for this user only (0600) where there is none; one that is there is left alone, its mode too. */
export function ensurePrivateFile(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
}

/** Deletes a file or a folder with all it holds; does nothing when there is none. */
export async function removeTree(target: string): Promise<void> {
  await rm(target, { recursive: true, force: true });
}

/**
 * The absolute path of a relative one inside `root`; throws DM_PATH_OUTSIDE when it would leave it, is absolute or holds a NUL.
 * Looks at names only: symbolic links are not followed.
 */
export function resolveInside(root: string, relative: string): string {
  const base = path.resolve(root);
  const full = path.resolve(base, relative);
  const inside = full === base || full.startsWith(base.endsWith(path.sep) ? base : base + path.sep);
  if (inside && !path.isAbsolute(relative) && !relative.includes('\0')) return full;
  throw new AppError(
    'DM_PATH_OUTSIDE',
    `The path ${JSON.stringify(relative)} leaves its folder; expected a path inside it`,
    {
      hint: 'Nothing was written there. If this name came from the platform, report it as a fault in Docmirror.',
      details: { root: base },
    },
  );
}

function unusable(directory: string, why: string, cause?: unknown): AppError {
  const hint = why === FILE_THERE ? MOVE_IT : describeSystemError(cause)?.hint;
  return new AppError('DM_DATA_DIR_UNUSABLE', `The folder ${directory} cannot be used: ${why}`, {
    hint: hint ?? GIVE_RIGHTS,
    cause,
  });
}

const MOVE_IT = 'Move that file away, or choose another data directory with --data-dir.';
