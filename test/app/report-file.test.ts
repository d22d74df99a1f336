// The file that a daemon writes its report to.
import { existsSync, mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createKit } from '../../src/app/kit.ts';
import { keepFixed } from '../../src/app/running/fixed-settings.ts';
import { reportNow } from '../../src/app/report.ts';
import { sync } from '../../src/app/sync.ts';
import { loadConfig, type Config } from '../../src/config/index.ts';
import { testFolder, type TestFolder } from '../support/cli.ts';
import { jobsIn, kitIn } from '../support/night-jobs.ts';
import { startSeeded } from '../support/seeded-platform.ts';

/** Walks once, and has a daemon write its report by other settings then. */
async function reportBy(folder: TestFolder, settings: (before: Config) => Config): Promise<void> {
  await using platform = await startSeeded({ pages: 1 });
  await using before = kitIn(folder, platform);
  const { signal } = new AbortController();
  await sync(before, { signal });
  await using kit = createKit({ ...before, config: settings(before.config) });
  await jobsIn(folder, kit)
    .find(({ name }) => name === 'report')
    ?.run(signal);
}

it('stays in the data directory until a restart has moved that: it was written into the new one, where no mirror is', async () => {
  using folder = testFolder();
  mkdirSync(folder.at('new'));
  const environment = { DOCMIRROR_DATA_DIR: folder.at('new') };
  const moved = loadConfig({ flags: {}, environment, cwd: folder.path, readFile: () => null });
  await reportBy(folder, (before) => keepFixed(before, moved));
  expect(['data', 'new'].map((data) => existsSync(folder.at(data, 'report.html')))).toEqual([true, false]);
});

it('is told by the name of its setting where it cannot be written: it was called --out, which no daemon has', async () => {
  using folder = testFolder();
  const path = folder.at('nowhere', 'report.html');
  const reported = reportBy(folder, (before) => ({ ...before, report: { path } }));
  const message = `report.path ${path} cannot be written: its folder does not exist, or takes no files`;
  await expect(reported).rejects.toMatchObject({ code: 'DM_USAGE', message });
});

it('is made in pieces, between which a daemon answers and may be ended: of a large mirror nobody was answered for seconds', async () => {
  using folder = testFolder();
  await using platform = await startSeeded({ pages: 1 });
  await using kit = kitIn(folder, platform);
  await sync(kit, { signal: new AbortController().signal });
  const stop = new AbortController();
  const ended = reportNow(kit, stop.signal);
  stop.abort(new Error('the daemon ends'));
  await expect(ended).rejects.toThrow('the daemon ends');
  expect((await reportNow(kit)).snapshot.id).toBe(1);
});
