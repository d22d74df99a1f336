// A limited walk before there was one of everything.
import { expect, it } from 'vitest';
import { environmentOf, runCli, testFolder, type Ended } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

it('status and drill say that a complete snapshot of a limited walk is none of everything: they said that there is none, beside a list that had it', async () => {
  await using platform = await startSeeded();
  using folder = testFolder();
  const env = environmentOf(platform, folder.at('data'));
  const cli = (...args: string[]): Promise<Ended> => runCli(args, { env });
  const lacking = 'complete snapshot of everything';
  expect((await cli('sync', '--kind', 'page')).stdout).toContain('Snapshot 1 is complete');
  expect((await cli('status')).stdout).toContain(`  There is no ${lacking} yet\n`);
  expect((await cli('drill')).stderr).toContain('Snapshot 1 is not the newest complete one of everything: ');
  await cli('sync');
  expect((await cli('status')).stdout).not.toContain(lacking);
});
