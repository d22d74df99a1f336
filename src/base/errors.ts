// One table of error codes: exit code and summary for each. README lists the same codes, and a test compares the two.
import { describeSystemError } from './system-errors.ts';
import { codeOf } from './error-code.ts';

/** What a process answers with: 0 complete, 1 failed, 2 usage or configuration, 3 incomplete but stored, 4 refused for safety, 130 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130;

export interface ErrorCodeEntry {
  exit: ExitCode;
  summary: string;
}

/** Every code that an error of Docmirror can carry. */
export const ERROR_CODES = {
  DM_USAGE: { exit: 2, summary: 'The command line is wrong.' },
  DM_CONFIG_UNKNOWN_KEY: { exit: 2, summary: 'The configuration has a key that does not exist.' },
  DM_CONFIG_INVALID: { exit: 2, summary: 'A configuration value is wrong or contradicts another.' },
  DM_CONFIG_MISSING: { exit: 2, summary: 'A setting that this command needs is not there.' },
  DM_TOKEN_REFUSED: { exit: 1, summary: 'The platform refused the access token (401).' },
  DM_FORBIDDEN: { exit: 1, summary: 'The token may not do this (403), or a higher plan is needed for it (402).' },
  DM_NOT_FOUND: { exit: 1, summary: 'The platform does not have this resource (404).' },
  DM_UNREACHABLE: { exit: 1, summary: 'The platform could not be reached.' },
  DM_NOT_JSON: { exit: 1, summary: 'The platform answered something that is not JSON, such as a web page.' },
  DM_BAD_RESPONSE: { exit: 1, summary: 'The platform answered JSON that the contract does not allow.' },
  DM_NO_DOCUMENT: { exit: 1, summary: 'The platform answered without the document tree of a page.' },
  DM_HTTP_STATUS: { exit: 1, summary: 'The platform answered with an error status.' },
  DM_TIMEOUT: { exit: 1, summary: 'The platform did not answer in time.' },
  DM_RATE_LIMITED: { exit: 1, summary: 'The platform kept refusing requests as too many (429).' },
  DM_PAGING_LOOP: { exit: 1, summary: 'A listing repeated a page token.' },
  DM_PAGING_ENDLESS: { exit: 1, summary: 'A listing did not end.' },
  DM_DOWNLOAD_FAILED: { exit: 1, summary: 'The bytes of a file could not be read.' },
  DM_REDIRECT_REFUSED: { exit: 1, summary: 'The platform redirected to another address; the token is not sent there.' },
  DM_DISK_FULL: { exit: 1, summary: 'The disk, a quota or a limit on the size of files lets nothing more be written.' },
  DM_TOO_MANY_OPEN: { exit: 1, summary: 'The system lets no more files and connections be open at once.' },
  DM_DATA_DIR_LOCKED: { exit: 1, summary: 'Another process holds the data directory.' },
  DM_ALREADY_RUNNING: { exit: 1, summary: 'A daemon, an embedded platform or an export runs there already.' },
  DM_LEASE_LOST: {
    exit: 1,
    summary: 'Another process took the data directory from this one; what was committed is kept.',
  },
  DM_DATA_DIR_UNUSABLE: { exit: 1, summary: 'The data directory cannot be read or written.' },
  DM_PATH_OUTSIDE: { exit: 1, summary: 'A file name would leave its folder.' },
  DM_DATABASE_NEWER: { exit: 1, summary: 'The mirror was written by a newer Docmirror.' },
  DM_DATABASE_DAMAGED: { exit: 1, summary: 'The database is damaged or is not a database.' },
  DM_SNAPSHOT_UNKNOWN: { exit: 2, summary: 'There is no snapshot with this number or at this time.' },
  DM_NO_SNAPSHOT: { exit: 1, summary: 'There is no usable snapshot yet.' },
  DM_INCOMPLETE: { exit: 3, summary: 'The work ended incomplete; what was read is stored.' },
  DM_SQL_REFUSED: { exit: 2, summary: 'The SQL would change the mirror; only reading is allowed.' },
  DM_SQL_INVALID: { exit: 2, summary: 'The SQL cannot be run.' },
  DM_PLAN_STALE: { exit: 4, summary: 'The target has changed since the plan was made.' },
  DM_OBJECT_DRIFTED: { exit: 4, summary: 'An object was changed since the plan was made; it is left as it is.' },
  DM_PLAN_USED: { exit: 4, summary: 'The plan was already applied.' },
  DM_RESTORE_UNDONE: { exit: 4, summary: 'The restore was taken back, or took one back; neither is done again.' },
  DM_PLAN_DAMAGED: { exit: 4, summary: 'The plan file is not what was written.' },
  DM_BRAKE: { exit: 4, summary: 'Too much changed or disappeared at once; nothing is deleted.' },
  DM_ARCHIVE_DAMAGED: { exit: 4, summary: 'The stored data that a restore needs is damaged.' },
  DM_OTHER_PLATFORM: { exit: 4, summary: 'The mirror is of another platform than the one to walk.' },
  DM_TARGET_NOT_EMPTY: { exit: 4, summary: 'The target of the restore already has content.' },
  DM_RESTORE_UNKNOWN: { exit: 2, summary: 'There is no restore with this id.' },
  DM_RESTORE_FAILED: { exit: 1, summary: 'A restore could not finish.' },
  DM_IMPORT_FAILED: { exit: 1, summary: 'The platform did not import all the content.' },
  DM_VERIFY_DIFFERS: { exit: 1, summary: 'What was restored differs from the snapshot.' },
  DM_DRILL_FAILED: { exit: 1, summary: 'The restore drill did not pass.' },
  DM_GIT_FAILED: { exit: 1, summary: 'git could not record the export; the export itself is whole.' },
  DM_CHECK_FAILED: { exit: 1, summary: 'The mirror failed its integrity check.' },
  DM_OUTPUT_FAILED: { exit: 1, summary: 'What a command answers could not be written to where it was sent.' },
  DM_INTERRUPTED: { exit: 130, summary: 'Interrupted; what was committed is kept.' },
  DM_PORT_IN_USE: { exit: 1, summary: 'The address to listen on cannot be used.' },
  DM_PROGRAM_CHANGED: {
    exit: 1,
    summary:
      'A part of the program is gone, as by an upgrade while it ran: start it again. Or it does not fit this Node.js: install it anew.',
  },
  DM_INTERNAL: { exit: 1, summary: 'A fault in Docmirror itself.' },
} as const satisfies Record<string, ErrorCodeEntry>;

export type ErrorCode = keyof typeof ERROR_CODES;

export interface AppErrorOptions {
  /** What the reader should do next. */
  hint: string;
  cause?: unknown;
  /** Ids, statuses and values seen. Never a token or a body. */
  details?: Record<string, unknown>;
}

/**
 * The one error class; rooms subclass it. `message` says what, on which thing, the value seen and what was expected; `hint` says what to do next.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly details?: Record<string, unknown>;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = options.hint;
    if (options.details !== undefined) this.details = options.details;
  }

  get exitCode(): ExitCode {
    return ERROR_CODES[this.code].exit;
  }
}

/** True when the error only says that the work was told to stop (a signal, an AbortController). A timeout is not an abort. */
export function isAbort(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'DM_INTERRUPTED';
  if (!(error instanceof Error)) return false;
  return error.name === 'AbortError' || codeOf(error) === 'ABORT_ERR';
}

/** Any thrown value as an AppError: itself, a system or SQLite error under its own code, else DM_INTERNAL with the cause kept. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isAbort(error)) {
    return new AppError('DM_INTERRUPTED', 'The work was interrupted', {
      hint: 'Run the same command again; what was committed is kept.',
      cause: error,
    });
  }
  const known = describeSystemError(error);
  if (known) return new AppError(known.code, known.message, { hint: known.hint, cause: error });
  const message = error instanceof Error ? error.message : String(error);
  return new AppError('DM_INTERNAL', `Unexpected: ${message}`, {
    hint: 'This is a fault in Docmirror; run again with --log-level debug and report what it prints.',
    cause: error,
  });
}
