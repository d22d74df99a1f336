// A proxy that takes a connection and says nothing more.
import { expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { manualClock, seededRandom, silentLogger } from '../../src/base/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { environmentOf, testFolder } from '../support/cli.ts';
import { startSilentReceiver } from '../support/receiver.ts';

it('doctor names the platform after ten seconds where the proxy is silent: it stood there for minutes', async () => {
  using folder = testFolder();
  await using silent = await startSilentReceiver();
  const platform = { url: 'https://platform.test', token: 'none' };
  const environment = { ...environmentOf(platform, folder.at('data')), HTTPS_PROXY: `http://${silent.address}` };
  const config = loadConfig({ flags: {}, environment, cwd: folder.path, readFile: () => null });
  const clock = manualClock();
  await using app = createApp(config, { clock, random: seededRandom(1), log: silentLogger() });
  const examined = app.examine(new AbortController().signal);
  await silent.asked(1);
  await clock.advance(10_000);
  const found = (await examined).filter(({ check }) => check === 'platform');
  expect(found).toMatchObject([{ state: 'bad', found: 'https://platform.test does not answer: no answer in time' }]);
  expect(found[0]?.hint).toContain('HTTPS_PROXY');
}, 30_000);
