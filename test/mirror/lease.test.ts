import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { holderOf, listPins, openMirror, pinSnapshot, readMirror, takeLease } from '../../src/mirror/index.ts';
import { manualClock, openSqlite } from '../../src/base/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { programAt } from '../support/programs.ts';

interface Holder extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Lets it write; what it answers. */
  write(what: string): Promise<string>;
}

async function startHolder(dataDir: string): Promise<Holder> {
  const child = spawn(process.execPath, [programAt('test/mirror/lease-holder.ts'), dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value);
  await next();
  return {
    child,
    write: (what) => {
      child.stdin.write(`${what}\n`);
      return next();
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

describe('mirror/database/lease', () => {
  it('is free again in the same process after the note of its holder could not be written, as on a full disk', async () => {
    using made = await createTestMirror();
    (await takeLease(made.dataDir, 'sync'))[Symbol.dispose]();
    const note = new Database(join(made.dataDir, 'lease.db'));
    note.exec(`create trigger full before insert on holder begin select raise(abort, 'full'); end`);
    await expect(takeLease(made.dataDir, 'forget')).rejects.toThrow('full');
    note.exec('drop trigger full');
    note.close();
    using lease = await takeLease(made.dataDir, 'sync');
    expect(lease.holder).toBe(`sync, process ${process.pid}`);
  });

  it('refuses a second process and names the first, and is free again after a kill -9', async () => {
    using made = await createTestMirror();
    const child = spawn(process.execPath, [programAt('test/mirror/lease-holder.ts'), made.dataDir], {
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

  it('stays with a process that stands still, which goes on writing when it is woken', async () => {
    using made = await createTestMirror();
    await using holder = await startHolder(made.dataDir);
    expect(await holder.write('1')).toBe('done');
    holder.child.kill('SIGSTOP');
    await expect(takeLease(made.dataDir, 'export')).rejects.toMatchObject({ code: 'DM_DATA_DIR_LOCKED' });
    holder.child.kill('SIGCONT');
    expect(await holder.write('2')).toBe('done');
  });

  it('is fenced: a writer whose lock got lost while it stood still can write no more', async () => {
    using made = await createTestMirror();
    await using holder = await startHolder(made.dataDir);
    expect(await holder.write('1')).toBe('done');
    holder.child.kill('SIGSTOP');
    // What a disk of the network does when its server is started again, and people who clean up.
    rmSync(join(made.dataDir, 'lease.lock'));
    using _lease = await takeLease(made.dataDir, 'sync');
    using mirror = await openMirror({ dataDir: made.dataDir, clock: manualClock(0) });
    pinSnapshot(mirror, 2, 'by the newer writer');
    holder.child.kill('SIGCONT');
    expect(await holder.write('3')).toBe('DM_LEASE_LOST');
    expect(await holder.write('transaction')).toBe('DM_LEASE_LOST');
    pinSnapshot(mirror, 4, 'by the newer writer');
    expect(listPins(mirror).map((pin) => pin.snapshot)).toEqual([1, 2, 4]);
  });

  it('has an unknown holder, not none, until the holder has written its name', async () => {
    using made = await createTestMirror();
    expect(holderOf(made.dataDir)).toBeNull();
    using lease = await takeLease(made.dataDir, 'sync');
    expect(holderOf(made.dataDir)).toBe(lease.holder);
    using note = openSqlite({ path: join(made.dataDir, 'lease.db'), name: 'the note', migrations: {} });
    note.driver.exec('delete from holder');
    expect(holderOf(made.dataDir)).toBe('unknown');
  });

  it('is free again when it is disposed of', async () => {
    using made = await createTestMirror();
    (await takeLease(made.dataDir, 'sync'))[Symbol.dispose]();
    (await takeLease(made.dataDir, 'sync'))[Symbol.dispose]();
  });
});

describe('mirror/database/database', () => {
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
