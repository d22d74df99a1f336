import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { testFolder } from '../support/cli.ts';
import { jobsIn, kitIn } from '../support/night-jobs.ts';
import { startSeeded } from '../support/seeded-platform.ts';

it('app/running a night leaves nothing on the signal of the daemon: at the fifth drill its log had a warning of a memory leak', async () => {
  await using platform = await startSeeded({ spaces: 1, pages: 2 });
  using folder = testFolder();
  await using kit = kitIn(folder, platform);
  const { signal } = new AbortController();
  const left: number[] = [];
  for (const _night of ['first', 'second']) {
    for (const job of jobsIn(folder, kit)) await job.run(signal);
    left.push(getEventListeners(signal, 'abort').length);
  }
  // That of the client of the platform, which is one for all nights.
  expect(left).toEqual([1, 1]);
});
