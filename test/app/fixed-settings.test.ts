// What a daemon that reads its settings anew goes on with.
import { existsSync, mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createKit } from '../../src/app/kit.ts';
import { keepFixed } from '../../src/app/running/fixed-settings.ts';
import { sync } from '../../src/app/sync.ts';
import { loadConfig } from '../../src/config/index.ts';
import { environmentOf, testFolder } from '../support/cli.ts';
import { jobsIn, kitIn } from '../support/night-jobs.ts';
import { startSeeded } from '../support/seeded-platform.ts';

it('leaves the report in the data directory until a restart has moved that: it was written into the new one, where no mirror is', async () => {
  await using platform = await startSeeded({ pages: 1 });
  using folder = testFolder();
  await using before = kitIn(folder, platform);
  const { signal } = new AbortController();
  await sync(before, { signal });
  mkdirSync(folder.at('new'));
  const environment = environmentOf(platform, folder.at('new'));
  const moved = loadConfig({ flags: {}, environment, cwd: folder.path, readFile: () => null });
  await using kit = createKit({ ...before, config: keepFixed(before.config, moved) });
  await jobsIn(folder, kit)
    .find(({ name }) => name === 'report')
    ?.run(signal);
  expect(['data', 'new'].map((data) => existsSync(folder.at(data, 'report.html')))).toEqual([true, false]);
});
