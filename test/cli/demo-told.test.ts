// Where the demo's platform is, as commands tell it that lack one.
import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ANY_PORT, runCli, testFolder, type TestFolder } from '../support/cli.ts';

function demoIn(folder: TestFolder, ports: string): string {
  const data = folder.at('my data');
  mkdirSync(`${data}/platform`, { recursive: true });
  writeFileSync(`${data}/platform/token`, 'token');
  writeFileSync(`${data}/platform/ports.json`, ports);
  return data;
}

describe('app/demo', () => {
  it.each(['', '{"api": 1', '[]', '{"api": "1", "files": 2}'])(
    'a damaged note of its ports keeps no command from answering: %j',
    async (ports) => {
      using folder = testFolder();
      const data = demoIn(folder, ports);
      const [status, doctor, sync] = await Promise.all(
        ['status', 'doctor', 'sync'].map((name) => runCli([name, '--data-dir', data], { env: ANY_PORT })),
      );
      expect(status?.stdout).toContain('There is no mirror yet');
      expect(doctor?.stdout).toContain('has no base address and no token');
      expect(sync?.stderr).toContain('DM_CONFIG_MISSING');
    },
  );

  it('the flags that lead there can be copied from doctor as from sync where the path has a space in it', async () => {
    using folder = testFolder();
    const data = demoIn(folder, '{"api": 1234, "files": 2}');
    const flags = `--token-file '${data}/platform/token'`;
    expect((await runCli(['sync', '--data-dir', data])).stderr).toContain(flags);
    expect((await runCli(['doctor', '--data-dir', data], { env: ANY_PORT })).stdout).toContain(flags);
  });
});
