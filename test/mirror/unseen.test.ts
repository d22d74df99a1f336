import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MAIN, testFolder } from '../support/cli.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { canStart, NOBODY } from '../support/nobody.ts';

describe.skipIf(process.platform === 'win32' || !canStart())('mirror/database, of somebody else', () => {
  it('is not said to be missing where its folder may not be looked into', async () => {
    using made = await createTestMirror();
    using folder = testFolder();
    chmodSync(made.dataDir, 0o000);
    chmodSync(folder.path, 0o755);
    for (const args of [['status'], ['snapshots'], ['query', 'select 1'], ['check']]) {
      const env = { PATH: process.env['PATH'] ?? '', DOCMIRROR_DATA_DIR: made.dataDir };
      const asked = spawnSync(process.execPath, [MAIN, ...args], {
        env,
        cwd: folder.path,
        encoding: 'utf8',
        ...NOBODY,
      });
      expect([asked.status, asked.stderr], args[0]).toEqual([1, expect.stringContaining('DM_DATA_DIR_UNUSABLE')]);
    }
    chmodSync(made.dataDir, 0o700);
  });
});
