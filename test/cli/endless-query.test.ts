// SQL that never ends, or answers more than fits: the person who asked is not left with a process that only kill -9 ends.
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runQuery } from '../../src/mirror/index.ts';
import { runCli, startCli, type Started } from '../support/cli.ts';
import { createTestMirror } from '../support/mirror-builder.ts';

const ENDLESS = 'with recursive n(x) as (select 1 union all select x + 1 from n)';
/** Reads a table for as long as it runs, and so holds the lock of a reader. */
const ENDLESS_READING = 'with recursive n(x) as (select count(*) from spaces union all select x + 1 from n)';

// A statement that reads locks one of these bytes of mirror.db-shm (WAL_READ_LOCK of SQLite); an open file alone locks none.
const READ_LOCKS = '(?:12[3-7])';

/**
 * Resolves when the process is in the query. The command's own reading is over when it has said that nothing is sealed, so a lock
 * of a reader after that is the query's. Rejects when the process ends before.
 */
async function inQuery(running: Started): Promise<void> {
  await running.until(/No snapshot is sealed yet/);
  const lock = new RegExp(`POSIX +ADVISORY +READ +${running.child.pid} \\S+ ${READ_LOCKS} ${READ_LOCKS}$`, 'm');
  while (!lock.test(readFileSync('/proc/locks', 'utf8'))) {
    if (running.child.exitCode !== null) throw new Error(`ended before its query: ${(await running.ended).stderr}`);
    await sleep(20);
  }
}

describe('cli/commands/query, without end', () => {
  it.runIf(existsSync('/proc/locks'))(
    'ends at once by Ctrl-C and by SIGTERM, and the mirror can be read on',
    async ({ onTestFinished }) => {
      using made = await createTestMirror();
      const env = { DOCMIRROR_DATA_DIR: made.dataDir };
      const asking = (['SIGINT', 'SIGTERM'] as const).map(async (signal) => {
        const running = startCli(['query', `${ENDLESS_READING} select max(x) from n`], { env });
        // One that no signal ends would run on when this test has given up.
        onTestFinished(() => void running.child.kill('SIGKILL'));
        await inQuery(running);
        expect(await running.interrupt(signal)).toMatchObject({ code: null, stdout: '' });
        expect(running.child.signalCode).toBe(signal);
      });
      await Promise.all(asking);
      expect((await runCli(['query', 'select count(*) from spaces'], { env })).code).toBe(0);
    },
  );

  it('refuses an answer that does not end before it has taken all memory', async () => {
    using made = await createTestMirror();
    const sql = `${ENDLESS} select x, printf('%1000s', x) from n`;
    expect(() => runQuery(made.dataDir, sql, null)).toThrow(/more than 256 MiB: \d+ rows fit into it/);
  });
});
