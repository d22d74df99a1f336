// A job that the end of the daemon cuts off, as the next daemon finds it.
import { expect, it } from 'vitest';
import { createKit } from '../../src/app/kit.ts';
import { jobsOf } from '../../src/app/running/jobs.ts';
import { sync } from '../../src/app/sync.ts';
import { AppError, seededRandom, silentLogger, systemClock } from '../../src/base/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { openMemory, type Job } from '../../src/daemon/index.ts';
import { environmentOf, testFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

it('app/running a drill that was cut off is known as that to the next daemon, until it comes to its end', async () => {
  await using platform = await startSeeded({ spaces: 2, pages: 2 });
  using folder = testFolder();
  const environment = environmentOf(platform, folder.at('data'));
  const config = loadConfig({ flags: {}, environment, cwd: folder.path, readFile: () => null });
  await using kit = createKit({ config, clock: systemClock(), random: seededRandom(1), log: silentLogger() });
  const { signal } = new AbortController();
  await sync(kit, { signal });
  const drillOfNextDaemon = (): Job => {
    const memory = openMemory(folder.at('daemon.json'), silentLogger());
    const jobs = jobsOf({ kit, memory, sync: (options) => sync(kit, options), demandPlace: () => undefined });
    const drill = jobs.find(({ name }) => name === 'drill');
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
