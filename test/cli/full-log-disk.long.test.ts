import { spawn, type StdioOptions } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { daemonEnvironment, MAIN, testFolder } from '../support/cli.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { startReceiver } from '../support/receiver.ts';
import { startSeeded } from '../support/seeded-platform.ts';
import { untilServed } from '../support/until-served.ts';

type Stream = 'stdout' | 'stderr';

/** Begins a command of which one stream goes to a disk that is full, and the other is read. */
function begin(fullStream: Stream, args: readonly string[], env: Record<string, string> = {}) {
  const full = openSync('/dev/full', 'w');
  const stdio: StdioOptions = fullStream === 'stdout' ? ['ignore', full, 'pipe'] : ['ignore', 'pipe', full];
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env['PATH'] ?? '', TZ: 'UTC', ...env },
    stdio,
  });
  closeSync(full);
  let said = '';
  const other = fullStream === 'stdout' ? child.stderr : child.stdout;
  other?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<{ code: number | null; said: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, said }));
  });
  return { child, ended };
}

describe.skipIf(!existsSync('/dev/full'))('a log whose disk is full', () => {
  it('takes no answer away: a query whose note had no room ended with 1 and showed nothing', async () => {
    using world = await createTestMirror();
    for (const title of ['Older', 'Newer']) await world.add({ spaces: [{ id: 's1', title, pages: [] }] });
    const sql = 'select count(*) as n from pages_search';
    const query = begin('stderr', ['query', '--csv', '--at', '1', sql, '--data-dir', world.dataDir]);
    expect(await query.ended).toEqual({ code: 0, said: 'n\n0\n' });
  });

  it.each<Stream>(['stderr', 'stdout'])('keeps no daemon from its nights, when it is that of %s', async (stream) => {
    await using platform = await startSeeded();
    await using receiver = await startReceiver();
    using folder = testFolder();
    const env = { ...daemonEnvironment(platform, folder.at('data')), DOCMIRROR_PING_SUCCESS: `${receiver.url}/done` };
    const daemon = begin(stream, ['daemon'], env);
    await Promise.race([daemon.ended, untilServed(() => receiver.received.length > 0)]);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/done']);
    daemon.child.kill('SIGTERM');
    const { code, said } = await daemon.ended;
    // What it could not say on stdout is an error of a command in any case, once it has ended in order.
    expect(code).toBe(stream === 'stderr' ? 0 : 1);
    if (stream === 'stdout') expect(said).toContain('"msg":"the first words are lost, the work goes on"');
  });
});
