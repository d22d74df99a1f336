import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openMirror, readMirror, takeLease } from '../../src/mirror/index.ts';
import { manualClock } from '../../src/base/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';

const HOLDER = fileURLToPath(new URL('lease-holder.ts', import.meta.url));

describe('mirror/lease', () => {
  it('refuses a second process and names the first, and is free again after a kill -9', async () => {
    using made = await createTestMirror();
    const child = spawn(process.execPath, ['--import', 'tsx', HOLDER, made.dataDir], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    try {
      const [holder] = (await once(createInterface(child.stdout), 'line')) as [string];
      expect(holder).toBe(`sync, process ${child.pid}`);
      await expect(takeLease(made.dataDir, 'export')).rejects.toMatchObject({
        code: 'DM_DATA_DIR_LOCKED',
        message: expect.stringContaining(holder) as string,
      });
      using reading = readMirror({ dataDir: made.dataDir, clock: manualClock(0) });
      expect(reading.dataDir).toBe(made.dataDir);
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
    using lease = await takeLease(made.dataDir, 'export');
    expect(lease.holder).toBe(`export, process ${process.pid}`);
  });

  it('is free again when it is disposed of', async () => {
    using made = await createTestMirror();
    (await takeLease(made.dataDir, 'sync'))[Symbol.dispose]();
    (await takeLease(made.dataDir, 'sync'))[Symbol.dispose]();
  });
});

describe('mirror/database', () => {
  it('refuses a mirror that a newer program wrote and leaves it as it is', async () => {
    using made = await createTestMirror();
    made.mirror.store.driver.pragma('user_version = 4711');
    const options = { dataDir: made.dataDir, clock: manualClock(0) };
    await expect(openMirror(options)).rejects.toMatchObject({ code: 'DM_DATABASE_NEWER' });
    expect(() => readMirror(options)).toThrowError(expect.objectContaining({ code: 'DM_DATABASE_NEWER' }));
    expect(made.mirror.store.driver.pragma('user_version', { simple: true })).toBe(4711);
  });

  it('says that there is no mirror yet, instead of making one for a reader', async () => {
    using made = await createTestMirror();
    const nowhere = { dataDir: `${made.dataDir}/none`, clock: manualClock(0) };
    expect(() => readMirror(nowhere)).toThrowError(expect.objectContaining({ code: 'DM_NO_SNAPSHOT' }));
  });
});
