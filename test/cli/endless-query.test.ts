// SQL that never ends, or answers more than fits: the person who asked is not left with a process that only kill -9 ends.
import { existsSync, readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runQuery } from '../../src/mirror/index.ts';
import { runCli, startCli } from '../support/cli.ts';
import { createTestMirror } from '../support/mirror-builder.ts';

/** In hundredths of a second; a start takes less than half of it. */
const TICKS_OF_A_START = 250;
const ENDLESS = 'with recursive n(x) as (select 1 union all select x + 1 from n)';

/** Resolves when the process has used so much of a processor that it is past its start and in the query. */
async function busy(pid: number): Promise<void> {
  for (;;) {
    const [, used] = /\) \S(?: \S+){10} (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    if (Number(used) > TICKS_OF_A_START) return;
    await turn();
  }
}

describe('cli/commands/query, without end', () => {
  it.runIf(existsSync('/proc/self/stat'))(
    'ends at once by Ctrl-C and by SIGTERM, and the mirror can be read on',
    async () => {
      using made = await createTestMirror();
      await made.add({ spaces: [{ id: 's', title: 'S' }] });
      const env = { DOCMIRROR_DATA_DIR: made.dataDir };
      const asking = (['SIGINT', 'SIGTERM'] as const).map(async (signal) => {
        const running = startCli(['query', `${ENDLESS} select max(x) from n`], { env });
        await busy(running.child.pid ?? 0);
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
