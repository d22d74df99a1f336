import { execFileSync } from 'node:child_process';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { inFolder } from '../../src/base/index.ts';
import { givenSmallDisk } from '../support/small-disk.ts';

it('base/folder-errors says of a disk that was made read-only that it is, whatever SQLite calls it: who was told was sent to look for permissions', async (context) => {
  const { folder } = givenSmallDisk(context);
  const told = (code: string): Promise<unknown> =>
    inFolder({ folder, called: 'data directory' }, () => Promise.reject(new Database.SqliteError('refused', code)));
  const codes = ['SQLITE_READONLY', 'SQLITE_READONLY_DBMOVED', 'SQLITE_IOERR_WRITE'];
  for (const code of codes)
    await expect(told(code)).rejects.toMatchObject({ message: `refused (data directory ${folder})` });
  execFileSync('mount', ['-o', 'remount,ro', folder]);
  for (const code of codes)
    await expect(told(code)).rejects.toMatchObject({
      code: 'DM_DATA_DIR_UNUSABLE',
      message: `its disk can only be read (data directory ${folder})`,
      hint: expect.stringContaining('Make it writable again') as string,
    });
});
