import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { documentOf, environmentOf, runCli, testFolder, type Ended } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

describe('cli/commands/restore-ledger', () => {
  it('says of every kind and field how it comes back, for people and for scripts', async () => {
    using folder = testFolder();
    const env = { DOCMIRROR_DATA_DIR: folder.at('data') };
    const entries = documentOf<Record<string, unknown>[]>(await runCli(['restore', 'ledger', '--json'], { env }));
    expect(entries).toContainEqual({ kind: 'page', field: 'markdown', class: 'exact', reason: '', given: false });
    const shown = await runCli(['restore', 'ledger'], { env });
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('invite: lost, no operation creates')]);
  });
});

describe('cli/commands/restore-list', () => {
  it('leaves out what was only rehearsed, unless it is asked for', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    const run = (...args: string[]): Promise<Ended> => runCli([...args, '--json'], { env, cwd: folder.path });
    await run('sync');
    expect((await run('drill')).code).toBe(0);
    expect(documentOf<unknown[]>(await run('restore', 'list'))).toEqual([]);
    expect(documentOf<unknown[]>(await run('restore', 'list', '--all'))).toHaveLength(1);
    expect(readdirSync(folder.at('data', 'restores')), 'nothing stays of what it wrote').toEqual([]);
  });
});
