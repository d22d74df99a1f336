// What the operating system and SQLite say, in our codes. Matched by error code, never by text.
import type { ErrorCode } from './errors.ts';
import { codeOf } from './error-code.ts';

export interface SystemErrorDescription {
  code: ErrorCode;
  message: string;
  hint: string;
}

export const GIVE_RIGHTS =
  'Give this user read and write permission there, or choose another data directory with --data-dir.';

const HINTS = {
  DM_DISK_FULL:
    'Free space on that disk (files may have run out too: df -i), or move the data directory, then run the same command again; nothing stored is lost.',
  DM_TOO_MANY_OPEN:
    'Raise the limit (ulimit -n, or LimitNOFILE of the service), then run the same command again; nothing stored is lost.',
  DM_DATA_DIR_UNUSABLE: GIVE_RIGHTS,
  DM_DATA_DIR_LOCKED: 'Wait for the other process to end, or choose another data directory with --data-dir.',
  DM_DATABASE_DAMAGED:
    'Run docmirror check; if it fails, move the data directory away, then put a copy of it in its place, or begin a new one.',
  DM_PORT_IN_USE: 'Choose another port, or end the process that listens there.',
  DM_PROGRAM_CHANGED:
    'Start it again, as by a restart of the service: most likely another version was put in its place. If that does not help, install Docmirror anew (npm ci). Nothing stored is lost.',
  DM_USAGE: 'Go to a folder that is there, then run the same command again.',
} as const;

type SystemCode = keyof typeof HINTS;

// Where the code alone would say something that is not so.
const OF_A_DISK =
  'Look at what the system says of that disk (dmesg, its quota, ulimit -f), then run the same command again, or choose another data directory with --data-dir.';
const READ_ONLY =
  'That disk can only be read. Make it writable again (dmesg may say why it is not), or choose another data directory with --data-dir.';
// A binary that was made for another version of Node.js, or is broken.
const NOT_LOADED = 'ERR_DLOPEN_FAILED';
const OWN_HINTS: ReadonlyMap<string, string> = new Map([
  ['ENAMETOOLONG', 'Choose a shorter path.'],
  ['ELOOP', 'Choose another path: its links lead in a circle.'],
  [
    NOT_LOADED,
    'Install Docmirror anew with the Node.js that is to run it (npm ci, with its install scripts), then start it again. Nothing stored is lost.',
  ],
  ['EROFS', READ_ONLY],
  ['EIO', OF_A_DISK],
  ['SQLITE_IOERR', OF_A_DISK],
  [
    'SQLITE_CANTOPEN',
    'Give this user read and write permission there, or raise the limit on open files where it is low (ulimit -n), or choose another data directory with --data-dir.',
  ],
  [
    'EDQUOT',
    'Free space that this user takes there, or have the quota raised, then run the same command again; nothing stored is lost.',
  ],
  [
    'ENFILE',
    'End what keeps many files open on this machine, or raise its limit (fs.file-max), then run the same command again; nothing stored is lost.',
  ],
  [
    'EFBIG',
    'Lift the limit (ulimit -f unlimited, or LimitFSIZE of the service), or use a disk that takes larger files, then run the same command again; nothing stored is lost.',
  ],
]);

const BY_CODE: ReadonlyMap<string, SystemCode> = new Map<string, SystemCode>([
  ['ENOSPC', 'DM_DISK_FULL'],
  ['EDQUOT', 'DM_DISK_FULL'],
  ['EFBIG', 'DM_DISK_FULL'],
  ['SQLITE_FULL', 'DM_DISK_FULL'],
  ['EMFILE', 'DM_TOO_MANY_OPEN'],
  ['ENFILE', 'DM_TOO_MANY_OPEN'],
  ['EACCES', 'DM_DATA_DIR_UNUSABLE'],
  ['EPERM', 'DM_DATA_DIR_UNUSABLE'],
  ['EROFS', 'DM_DATA_DIR_UNUSABLE'],
  ['ENAMETOOLONG', 'DM_DATA_DIR_UNUSABLE'],
  ['ELOOP', 'DM_DATA_DIR_UNUSABLE'],
  ['EIO', 'DM_DATA_DIR_UNUSABLE'],
  ['SQLITE_CANTOPEN', 'DM_DATA_DIR_UNUSABLE'],
  ['SQLITE_READONLY', 'DM_DATA_DIR_UNUSABLE'],
  ['SQLITE_PERM', 'DM_DATA_DIR_UNUSABLE'],
  ['SQLITE_IOERR', 'DM_DATA_DIR_UNUSABLE'],
  ['SQLITE_BUSY', 'DM_DATA_DIR_LOCKED'],
  ['SQLITE_LOCKED', 'DM_DATA_DIR_LOCKED'],
  ['SQLITE_CORRUPT', 'DM_DATABASE_DAMAGED'],
  ['SQLITE_NOTADB', 'DM_DATABASE_DAMAGED'],
  ['EADDRINUSE', 'DM_PORT_IN_USE'],
  ['EADDRNOTAVAIL', 'DM_PORT_IN_USE'],
  ['ERR_MODULE_NOT_FOUND', 'DM_PROGRAM_CHANGED'],
  ['MODULE_NOT_FOUND', 'DM_PROGRAM_CHANGED'],
  [NOT_LOADED, 'DM_PROGRAM_CHANGED'],
]);

const MAX_CAUSES = 10;

/** The description of the first known system or SQLite code among the error and its causes; null when there is none. */
export function describeSystemError(error: unknown): SystemErrorDescription | null {
  const known = firstKnown(error);
  if (known === null) return null;
  const { seen, code, message } = known;
  return { code, message, hint: OWN_HINTS.get(seen) ?? HINTS[code] };
}

/** Why nothing more can be written, for an error that is told as DM_DISK_FULL: about the thing that it could not be written to. */
export function whyFull(error: unknown): string {
  if (firstKnown(error)?.seen === 'EDQUOT') return 'the quota of its disk is used up';
  return isOfFileSize(error) ? 'files may not grow that large here (ulimit -f)' : 'its disk is full';
}

/** A limit on the size of files, which no free space lifts. */
export function isOfFileSize(error: unknown): boolean {
  return firstKnown(error)?.seen === 'EFBIG';
}

/** SQLite's "disk I/O error" and "unable to open database file", which name no reason: of a disk without room for a file, too. */
export function isUnexplained(error: unknown): boolean {
  const seen = firstKnown(error)?.seen;
  return seen === 'SQLITE_IOERR' || seen === 'SQLITE_CANTOPEN';
}

/** SQLite's "attempt to write a readonly database", which tells of a file that is closed to this user and of a disk alike. */
export function isReadOnly(error: unknown): boolean {
  return firstKnown(error)?.seen === 'SQLITE_READONLY';
}

export function isOfReadOnlyDisk(error: unknown): boolean {
  return firstKnown(error)?.seen === 'EROFS';
}

interface Known {
  /** As the system calls it, without the suffix of SQLite's extended codes: SQLITE_CORRUPT_VTAB, SQLITE_IOERR_WRITE. */
  readonly seen: string;
  readonly code: SystemCode;
  readonly message: string;
}

function firstKnown(error: unknown): Known | null {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth++) {
    const known = knownIn(current);
    if (known) return known;
    current = current.cause;
  }
  return null;
}

function knownIn(error: Error): Known | null {
  const said = isOfNoBinary(error) ? NOT_LOADED : codeOf(error);
  if (said === null) return null;
  const message = isOfNoBinary(error) ? `${error.tries.map(String).at(0) ?? 'its binary'} is not there` : error.message;
  const asked = 'syscall' in error ? error.syscall : null;
  if (said === 'EACCES' && asked === 'listen') return { seen: said, code: 'DM_PORT_IN_USE', message };
  if (said === 'ENOENT' && asked === 'uv_cwd') {
    return { seen: said, code: 'DM_USAGE', message: 'The folder that you are in is gone; expected one that is there' };
  }
  const given = DAMAGED_INDEX.test(message) ? 'SQLITE_CORRUPT' : said;
  const primary = given.split('_').slice(0, 2).join('_');
  const seen = BY_CODE.has(given) ? given : primary;
  const code = BY_CODE.get(seen);
  if (code === 'DM_PROGRAM_CHANGED') {
    const what = seen === NOT_LOADED ? 'cannot be loaded' : 'is gone';
    return { seen, code, message: `A part of the program ${what}: ${message}` };
  }
  return code === undefined ? null : { seen, code, message };
}

/** So better-sqlite3 tells that its binary was never made, by the places where it looked for one: without a code. */
function isOfNoBinary(error: Error): error is Error & { tries: unknown[] } {
  return 'tries' in error && Array.isArray(error.tries);
}

// So SQLite tells of a full-text index whose own settings are damaged, under the code of a mistake in SQL.
const DAMAGED_INDEX = /^invalid fts5 file format\b/;
