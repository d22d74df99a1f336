// A job that the end of the daemon cuts off, as the next daemon finds it.
import { expect, it } from 'vitest';
import type { JobParts } from '../../src/app/running/jobs.ts';
import { sync } from '../../src/app/sync.ts';
import { AppError } from '../../src/base/index.ts';
import type { Job } from '../../src/daemon/index.ts';
import { testFolder } from '../support/cli.ts';
import { jobsIn, kitIn } from '../support/night-jobs.ts';
import { startSeeded } from '../support/seeded-platform.ts';

it('app/running a drill that was cut off is known as that to the next daemon, until it comes to its end', async () => {
  await using platform = await startSeeded({ spaces: 2, pages: 2 });
  using folder = testFolder();
  await using kit = kitIn(folder, platform);
  const { signal } = new AbortController();
  await sync(kit, { signal });
  const drillOfNextDaemon = (): Job => {
    const drill = jobsIn(folder, kit).find(({ name }) => name === 'drill');
    if (drill === undefined) throw new Error('there is no drill');
    return drill;
  };
  expect(drillOfNextDaemon().wasCutOff?.()).toBe(false);
  const end = new AbortController();
  const running = drillOfNextDaemon().run(end.signal);
  end.abort(new AppError('DM_INTERRUPTED', 'Interrupted', { hint: 'none' }));
  await expect(running).rejects.toThrow('Interrupted');
  expect(drillOfNextDaemon().wasCutOff?.()).toBe(true);
  await drillOfNextDaemon().run(signal);
  expect(drillOfNextDaemon().wasCutOff?.()).toBe(false);
});

it('app/running a walk that was cut off in its export is due again for the next daemon: the tree stayed as it was for another day, and a dead-man switch waited for an end', async () => {
  await using platform = await startSeeded({ spaces: 2, pages: 2 });
  using folder = testFolder();
  await using kit = kitIn(folder, platform);
  const end = new AbortController();
  const walkOfNextDaemon = (isCutOff: boolean): Job => {
    const walk: JobParts['sync'] = async (options) => {
      const result = await sync(kit, options);
      if (isCutOff) end.abort(new AppError('DM_INTERRUPTED', 'Interrupted', { hint: 'none' }));
      options.signal.throwIfAborted();
      return result;
    };
    const job = jobsIn(folder, kit, walk).find(({ name }) => name === 'sync');
    if (job === undefined) throw new Error('there is no walk');
    return job;
  };
  await walkOfNextDaemon(false).run(new AbortController().signal);
  const before = walkOfNextDaemon(false).lastDone() ?? 0;
  const cutOff = walkOfNextDaemon(true);
  await expect(cutOff.run(end.signal)).rejects.toThrow('Interrupted');
  expect(walkOfNextDaemon(false).lastDone()).toBe(before);
  expect(walkOfNextDaemon(false).cutOffSince?.()).toBeGreaterThan(before);
  await walkOfNextDaemon(false).run(new AbortController().signal);
  expect(walkOfNextDaemon(false).lastDone()).toBeGreaterThan(before);
  expect(walkOfNextDaemon(false).cutOffSince?.()).toBeNull();
});
