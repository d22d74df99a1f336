// What the operating system and SQLite say, in our codes. Matched by error code, never by text.
import type { ErrorCode } from './errors.ts';

export interface SystemErrorDescription {
  code: ErrorCode;
  message: string;
  hint: string;
}

const HINTS = {
  DM_DISK_FULL:
    'Free space on that disk, or move the data directory, then run the same command again; nothing stored is lost.',
  DM_DATA_DIR_UNUSABLE:
    'Give this user read and write permission there, or choose another data directory with --data-dir.',
  DM_DATA_DIR_LOCKED: 'Wait for the other process to end, or choose another data directory with --data-dir.',
  DM_DATABASE_DAMAGED: 'Run docmirror check; if it fails, put back a copy of the data directory or begin a new one.',
  DM_PORT_IN_USE: 'Choose another port, or end the process that listens there.',
} as const;

type SystemCode = keyof typeof HINTS;

const BY_CODE: ReadonlyMap<string, SystemCode> = new Map<string, SystemCode>([
  ['ENOSPC', 'DM_DISK_FULL'],
  ['EDQUOT', 'DM_DISK_FULL'],
  ['SQLITE_FULL', 'DM_DISK_FULL'],
  ['EACCES', 'DM_DATA_DIR_UNUSABLE'],
  ['EPERM', 'DM_DATA_DIR_UNUSABLE'],
  ['EROFS', 'DM_DATA_DIR_UNUSABLE'],
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
]);

const MAX_CAUSES = 10;

/** The description of the first known system or SQLite code among the error and its causes; null when there is none. */
export function describeSystemError(error: unknown): SystemErrorDescription | null {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth++) {
    const code = knownCode(current);
    if (code) return { code, message: current.message, hint: HINTS[code] };
    current = current.cause;
  }
  return null;
}

function knownCode(error: Error): SystemCode | undefined {
  if (!('code' in error) || typeof error.code !== 'string') return undefined;
  if (error.code === 'EACCES' && 'syscall' in error && error.syscall === 'listen') return 'DM_PORT_IN_USE';
  // SQLite's extended codes are the primary code and a suffix: SQLITE_CORRUPT_VTAB, SQLITE_IOERR_WRITE.
  return BY_CODE.get(error.code) ?? BY_CODE.get(error.code.split('_').slice(0, 2).join('_'));
}
