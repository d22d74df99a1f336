// At the end of a walk by hand: somebody waits for the process that sends its messages.
import { expect, it } from 'vitest';
import { createKit } from '../../src/app/kit.ts';
import { syncAndTell } from '../../src/app/running/sync-and-tell.ts';
import { manualClock, seededRandom, silentLogger } from '../../src/base/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { testFolder } from '../support/cli.ts';
import { startSilentReceiver, type SilentReceiver } from '../support/receiver.ts';

/** A walk that fails at once, for want of a platform, and has that told to the receiver in every way there is. */
function failingWalk(receiver: SilentReceiver, folder: string) {
  const address = `http://${receiver.address}`;
  const settings = {
    dataDir: folder,
    notify: {
      pingStart: `${address}/start`,
      pingFailure: `${address}/failure`,
      webhook: `${address}/hook`,
      mailUrl: `smtp://${receiver.address}`,
      mailFrom: 'a@example.com',
      mailTo: ['b@example.com'],
    },
  };
  const flags = { config: '/docmirror.yaml' };
  const config = loadConfig({ flags, environment: {}, cwd: '/', readFile: () => JSON.stringify(settings) });
  const clock = manualClock();
  const kit = createKit({ config, clock, random: seededRandom(1), log: silentLogger() });
  const interrupt = new AbortController();
  const unsent: string[] = [];
  const onUnsent = (channel: string, why: string): void => void unsent.push(`${channel}: ${why}`);
  const walk = syncAndTell(kit, { signal: interrupt.signal, onUnsent });
  return { clock, interrupt, unsent, ended: expect(walk).rejects.toMatchObject({ code: 'DM_CONFIG_MISSING' }) };
}

it('waits no minutes for receivers that are silent: ten seconds for all of them, and says which were not told', async () => {
  using folder = testFolder();
  await using silent = await startSilentReceiver();
  const { clock, unsent, ended } = failingWalk(silent, folder.path);
  // The ping of the begin, the webhook and the mail server; then the ping of the end, which waits for that of the begin.
  await silent.asked(3);
  await clock.advance(5000);
  await silent.asked(4);
  await clock.advance(5000);
  await ended;
  expect(unsent.toSorted()).toEqual(
    ['mail', 'ping failure', 'ping start', 'webhook'].map((channel) => `${channel}: no answer in time`),
  );
});

it('ends without any wait once it is interrupted while receivers are silent', async () => {
  using folder = testFolder();
  await using silent = await startSilentReceiver();
  const { interrupt, unsent, ended } = failingWalk(silent, folder.path);
  await silent.asked(3);
  interrupt.abort();
  await ended;
  expect(unsent.toSorted()).toEqual(
    ['mail', 'ping failure', 'ping start', 'webhook'].map((channel) => `${channel}: interrupted`),
  );
});
