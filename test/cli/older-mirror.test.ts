// An older copy of mirror.db is put back, and the rest of the data directory is that of today.
import { cpSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { documentOf, environmentOf, runCli, testFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

it('cli doctor and restore plan tell of restores that an older mirror.db does not know: all was well, and what they had made came again', async () => {
  await using platform = await startSeeded();
  using folder = testFolder();
  const data = folder.at('data');
  const env = environmentOf(platform, data);
  const run = async <T>(...args: string[]): Promise<T> => documentOf<T>(await runCli([...args, '--json'], { env }));
  const plan = (): Promise<{ preflight: { check: string; detail: string }[] }> =>
    run('restore', 'plan', '--snapshot', '1', '--in-place', '--out', folder.at('plan.json'));
  const told = async (): Promise<(string | undefined)[]> => {
    const { findings } = await run<{ findings: { check: string; found: string }[] }>('doctor');
    const { preflight } = await plan();
    return [
      findings.find(({ check }) => check === 'restores')?.found,
      preflight.find(({ check }) => check === 'earlier restore')?.detail,
    ];
  };
  await run('sync');
  const [space] = await run<{ id: string }[]>('query', 'select id from spaces limit 1');
  const headers = { authorization: `Bearer ${platform.token}` };
  await fetch(`${platform.url}/v1/spaces/${space?.id ?? ''}`, { method: 'DELETE', headers });
  cpSync(folder.at('data/mirror.db'), folder.at('older.db'));
  await plan();
  const { restore } = await run<{ restore: string }>('restore', 'apply', folder.at('plan.json'));
  expect(await told()).toEqual([undefined, undefined]);
  for (const end of ['', '-wal', '-shm']) rmSync(`${data}/mirror.db${end}`, { force: true });
  cpSync(folder.at('older.db'), folder.at('data/mirror.db'));
  const words = expect.stringContaining(
    `does not know 1 restore that left a folder in restores/ (${restore})`,
  ) as string;
  expect(await told()).toEqual([words, words]);
});
