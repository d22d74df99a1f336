// SQL that never ends, or answers more than fits: the person who asked is not left with a process that only kill -9 ends.
import { existsSync, readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { environmentOf, runCli, startCli, testFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

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
  const signals = existsSync('/proc/self/stat') ? (['SIGINT', 'SIGTERM'] as const) : [];
  it.each(signals)('ends at once by %s, and the mirror can be read on', async (signal) => {
    await using platform = await startSeeded({ spaces: 1, pages: 1 });
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    await runCli(['sync'], { env });
    const asking = startCli(['query', `${ENDLESS} select max(x) from n`], { env });
    await busy(asking.child.pid ?? 0);
    expect(await asking.interrupt(signal)).toMatchObject({ code: null, stdout: '' });
    expect(asking.child.signalCode).toBe(signal);
    expect((await runCli(['query', 'select count(*) from pages'], { env })).code).toBe(0);
  });

  it('refuses an answer that does not end before it has taken all memory', async () => {
    await using platform = await startSeeded({ spaces: 1, pages: 1 });
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    await runCli(['sync'], { env });
    const { code, stderr } = await runCli(['query', `${ENDLESS} select x, printf('%1000s', x) from n`], { env });
    expect([code, stderr.includes('more than 256 MiB')], stderr).toEqual([2, true]);
  });
});
