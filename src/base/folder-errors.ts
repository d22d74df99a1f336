// What the system or SQLite says of a file names no place, and SQLite not even a reason: "disk I/O error".
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { closedIn } from './closed-files.ts';
import { codeOf } from './error-code.ts';
import { AppError, toAppError, type ErrorCode } from './errors.ts';
import { isOfReadOnlyDisk, isReadOnly, isUnexplained, whyFull } from './system-errors.ts';

export interface Place {
  readonly folder: string;
  /** What it is to people: "data directory". */
  readonly called: string;
}

/** Does work on files that are kept in a folder: what the system or SQLite refuses there is told with its name. */
export async function inFolder<T>(place: Place, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw namingFolder(error, place);
  }
}

const OF_NO_FOLDER: ReadonlySet<ErrorCode> = new Set(['DM_INTERNAL', 'DM_INTERRUPTED', 'DM_PROGRAM_CHANGED']);

/** The same of an error that was caught; errors of ours name their own place. */
export function namingFolder(thrown: unknown, { folder, called }: Place): unknown {
  if (thrown instanceof AppError) return thrown;
  const error = explained(thrown, folder);
  const { code, message, hint } = toAppError(error);
  if (OF_NO_FOLDER.has(code)) return thrown;
  const what =
    isUnexplained(thrown) && code === 'DM_DISK_FULL' ? `nothing more can be written: ${whyFull(error)}` : message;
  return new AppError(code, `${what} (${called} ${folder})`, { hint, cause: error });
}

const OF_GONE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EEXIST']);

export const PUT_BACK =
  'Put back what was there (is its disk mounted?), and run the same command again: it continues from what was committed.';

/** The same of a folder that was there a moment ago: what the system says of one that is not there any more would be taken for a fault of ours. */
export function tellingGone(error: unknown, folder: string): unknown {
  const said = error instanceof AppError ? error.cause : error;
  if (toAppError(error).code !== 'DM_INTERNAL' || !(said instanceof Error) || !OF_GONE.has(codeOf(said) ?? ''))
    return error;
  const message = `${folder} was taken away, or something else was put there: ${said.message}`;
  return new AppError('DM_DATA_DIR_UNUSABLE', message, { hint: PUT_BACK, cause: error });
}

// More than SQLite writes before it tidies up.
const TRIED_BYTES = 16 * 1024 * 1024;

// What SQLite tells with the code of a missing permission.
const OF_NO_RIGHT: ReadonlySet<ErrorCode> = new Set(['DM_DISK_FULL', 'DM_TOO_MANY_OPEN']);

/** What a write into the folder fails for, where that is why SQLite's own failed. */
function explained(error: unknown, folder: string): unknown {
  if (!isUnexplained(error) && !isReadOnly(error)) return error;
  try {
    tryToWrite(folder);
    return closed(folder, error) ?? error;
  } catch (found) {
    if (found instanceof Error) found.cause = error;
    // A disk that had errors is often made read-only below whoever has it open.
    if (isOfReadOnlyDisk(found))
      return Object.assign(new Error('its disk can only be read', { cause: found }), { code: 'EROFS' });
    return OF_NO_RIGHT.has(toAppError(found).code) ? found : error;
  }
}

const OF_SQLITE = /\.(?:db|lock)(?:-wal|-shm)?$/;

/** The folder is this user's, and something in it is not: "unable to open database file" names neither. */
function closed(folder: string, cause: unknown): Error | null {
  const name = closedIn(folder).find((one) => OF_SQLITE.test(one));
  if (name === undefined) return null;
  const message = `${path.join(folder, name)} is not open to this user for reading and writing`;
  return Object.assign(new Error(message, { cause }), { code: 'EACCES' });
}

/** Behind the place where the largest file there ends: a limit on the size of files shows only there. */
function tryToWrite(folder: string): void {
  const sizes = readdirSync(folder).map(
    (name) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
  );
  const begin = Math.max(0, ...sizes);
  const file = path.join(folder, `${randomUUID()}.tmp`);
  const handle = openSync(file, 'wx', 0o600);
  try {
    const bytes = Buffer.alloc(TRIED_BYTES);
    // The last bytes that still have room are written without an error.
    for (let done = 0; done < bytes.length;) done += writeSync(handle, bytes, done, bytes.length - done, begin + done);
  } finally {
    closeSync(handle);
    rmSync(file, { force: true });
  }
}
