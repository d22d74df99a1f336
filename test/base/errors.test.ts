import { describe, expect, it } from 'vitest';
import Database from 'better-sqlite3';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AppError, ERROR_CODES, isAbort, removeTree, toAppError } from '../../src/base/index.ts';

function systemError(code: string, syscall = 'write'): Error {
  return Object.assign(new Error(`${code}: it failed`), { code, syscall });
}

describe('base/errors', () => {
  it('gives every code a name, an exit code that is documented and a summary', () => {
    for (const [code, entry] of Object.entries(ERROR_CODES)) {
      expect(code).toMatch(/^DM_[A-Z]+(_[A-Z]+)*$/);
      expect([1, 2, 3, 4, 130]).toContain(entry.exit);
      expect(entry.summary).toMatch(/\.$/);
    }
  });

  it('carries code, hint, details and cause, and takes its exit code from the table', () => {
    const cause = new Error('below');
    const error = new AppError('DM_PLAN_STALE', 'Plan p is stale', {
      hint: 'Plan again.',
      cause,
      details: { plan: 'p' },
    });
    expect(error).toMatchObject({
      code: 'DM_PLAN_STALE',
      hint: 'Plan again.',
      cause,
      details: { plan: 'p' },
      exitCode: 4,
    });
  });

  it('takes its name from the subclass', () => {
    class RoomError extends AppError {}
    expect(new RoomError('DM_INTERNAL', 'x', { hint: 'y' }).name).toBe('RoomError');
  });

  it('hands an AppError through unchanged', () => {
    const error = new AppError('DM_BRAKE', 'x', { hint: 'y' });
    expect(toAppError(error)).toBe(error);
  });

  it.each([
    [systemError('ENOSPC'), 'DM_DISK_FULL'],
    [systemError('EDQUOT'), 'DM_DISK_FULL'],
    [systemError('EFBIG'), 'DM_DISK_FULL'],
    [systemError('SQLITE_FULL'), 'DM_DISK_FULL'],
    [systemError('EMFILE', 'open'), 'DM_TOO_MANY_OPEN'],
    [systemError('ENFILE', 'open'), 'DM_TOO_MANY_OPEN'],
    [systemError('EACCES', 'open'), 'DM_DATA_DIR_UNUSABLE'],
    [systemError('EACCES', 'listen'), 'DM_PORT_IN_USE'],
    [systemError('ERR_MODULE_NOT_FOUND'), 'DM_PROGRAM_CHANGED'],
    [systemError('ERR_DLOPEN_FAILED', 'dlopen'), 'DM_PROGRAM_CHANGED'],
    [systemError('EROFS'), 'DM_DATA_DIR_UNUSABLE'],
    [systemError('EIO'), 'DM_DATA_DIR_UNUSABLE'],
    [systemError('SQLITE_CORRUPT'), 'DM_DATABASE_DAMAGED'],
    [systemError('SQLITE_CORRUPT_VTAB'), 'DM_DATABASE_DAMAGED'],
    [systemError('SQLITE_IOERR_WRITE'), 'DM_DATA_DIR_UNUSABLE'],
    [systemError('EADDRINUSE', 'listen'), 'DM_PORT_IN_USE'],
    [new Error('outer', { cause: systemError('ENOSPC') }), 'DM_DISK_FULL'],
    [new Error('strange'), 'DM_INTERNAL'],
    ['a string', 'DM_INTERNAL'],
  ])('maps %s to %s and keeps the cause', (thrown, code) => {
    const error = toAppError(thrown);
    expect(error.code).toBe(code);
    expect(error.cause).toBe(thrown);
    expect(error.hint).not.toBe('');
  });

  it.each([
    ['EDQUOT', /quota/],
    ['EFBIG', /ulimit -f/],
    ['EROFS', /writable/],
    ['SQLITE_IOERR_WRITE', /dmesg.*quota.*ulimit/],
  ])('asks for no permission where the system said %s', (code, expected) => {
    const { hint } = toAppError(systemError(code));
    expect(hint).toMatch(expected);
    expect(hint).not.toContain('permission');
  });

  it('calls a file that is no database damaged', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'docmirror-errors-'));
    const file = path.join(directory, 'x.db');
    writeFileSync(file, 'this is not a database, it is a text of some length. '.repeat(40));
    const open = (): unknown => new Database(file).pragma('user_version');
    expect(open).toThrow();
    try {
      open();
    } catch (error) {
      expect(toAppError(error).code).toBe('DM_DATABASE_DAMAGED');
    }
    await removeTree(directory);
  });

  it('tells an abort from a timeout', () => {
    const aborted = AbortSignal.abort();
    expect(isAbort(aborted.reason)).toBe(true);
    expect(toAppError(aborted.reason).exitCode).toBe(130);
    expect(isAbort(new DOMException('late', 'TimeoutError'))).toBe(false);
    expect(isAbort(undefined)).toBe(false);
  });
});
