// What an export that ended early has left: the last one, or nothing.
import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { AppError, codeOf, type ErrorCode } from '../base/index.ts';
import type { Places } from './files/swap.ts';
import { INDEX } from './written/export-index.ts';
import { MANIFEST } from './written/manifest.ts';

/** Others say by themselves what became of the folder, or what to do about it first. */
const TOLD: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['DM_CHECK_FAILED', 'DM_INTERNAL']);

export function outcomeOf({ target }: Places): string {
  return existsSync(join(target, MANIFEST)) ? 'The last export was left as it is.' : 'Nothing was written.';
}

const OF_A_PLACE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG', 'ELOOP']);
const TAKEN_AWAY: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

/** What the system refuses at the place of an export, in words of ours: it need not be in the data directory. Any other error as it is. */
export function tellingRefused(error: unknown, places: Places): unknown {
  if (!(error instanceof Error && 'path' in error)) return error;
  if (!isOfExport(String(error.path), places)) return error;
  const hint = adviceOn(codeOf(error) ?? '', places);
  if (hint === null) return error;
  return new AppError('DM_USAGE', `Cannot export to ${places.target}: ${error.message}`, {
    hint: `${hint} ${outcomeOf(places)}`,
    cause: error,
  });
}

const BY_OTHERS =
  'Something else moved or removed what lies there, or what was made beside it, in the middle of this: let nothing do so, and run it again.';

/** Every file of the new tree was on disk, and they are not as many any more. */
export function changedByOthers(files: string, places: Places): AppError {
  return cutOff(places, { seen: `${files} are in what was made beside it` });
}

function cutOff(places: Places, { seen, cause }: { readonly seen: string; readonly cause?: unknown }): AppError {
  const hint = `${BY_OTHERS} ${outcomeOf(places)}`;
  return new AppError('DM_USAGE', `Cannot export to ${places.target}: ${seen}`, { hint, cause });
}

/** SQLite names no file: of the index that went with what was made, it says what it says of a broken disk. Any other error as it is. */
export function tellingLostIndex(error: unknown, places: Places): unknown {
  const isOfSqlite = !(error instanceof AppError) && codeOf(error)?.startsWith('SQLITE_') === true;
  if (!isOfSqlite || existsSync(join(places.building, INDEX)) || !existsSync(dirname(places.target))) return error;
  return cutOff(places, { seen: 'the index of what was made beside it is gone', cause: error });
}

function adviceOn(code: string, { target }: Places): string | null {
  if (OF_A_PLACE.has(code))
    return 'Let this user read and write there, or name a folder where it may, with no longer path than the system takes.';
  // Where the folder above is gone, such as with its disk, no other run helps.
  return TAKEN_AWAY.has(code) && existsSync(dirname(target)) ? BY_OTHERS : null;
}

function isOfExport(path: string, places: Places): boolean {
  const isIn = (folder: string, what: string): boolean => what === folder || what.startsWith(folder + sep);
  return Object.values(places).some((place: string) => isIn(place, path)) || isIn(path, places.target);
}

/** The error, saying what is left. Only for what is thrown before the new tree takes its place. */
export function tellingOutcome(error: unknown, places: Places): unknown {
  if (!(error instanceof AppError) || !TOLD.has(error.code)) return error;
  const { code, message, hint, details } = error;
  const told = { hint: `${hint} ${outcomeOf(places)}`, cause: error, ...(details ? { details } : {}) };
  return new AppError(code, message, told);
}
