import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { setImmediate as turnOfEvents } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { manualClock, seededRandom, silentLogger } from '../../src/base/index.ts';
import { openDaemons } from '../../src/cli/daemons.ts';
import { loadConfigs, readTextFile, type Config } from '../../src/config/index.ts';
import { runOwnProcess, testFolder, type TestFolder } from '../support/cli.ts';
import { startReceiver } from '../support/receiver.ts';
import { givenSmallDisk } from '../support/small-disk.ts';

const NEVER = 'sync: null, drill: null, check: null, forget: null, report: null';

/** Two platforms, of which the second finds a file where its data directory would be. */
function configured(folder: TestFolder, webhook: string): Config[] {
  mkdirSync(folder.at('data'));
  writeFileSync(folder.at('data/later'), 'in the way');
  const platform = 'platform: {baseUrl: "https://platform.test", token: none}';
  const entries = ['now', 'later'].map((name) => `  - {name: ${name}, ${platform}}`).join('\n');
  const head = `dataDir: ${folder.at('data')}\nstatus: {port: 0}\nschedule: {${NEVER}}\nnotify: {webhook: "${webhook}"}`;
  writeFileSync(folder.at('docmirror.yaml'), `${head}\nplatforms:\n${entries}\n`);
  const environment = { DOCMIRROR_CONFIG: folder.at('docmirror.yaml') };
  return loadConfigs({ flags: {}, environment, cwd: folder.path, readFile: readTextFile });
}

describe('cli/late-daemon', () => {
  it('one platform whose data directory cannot be used keeps no other from its schedule, is told of with the command for it alone, and begins when it can', async () => {
    using folder = testFolder();
    await using receiver = await startReceiver();
    const configs = configured(folder, `${receiver.url}/hook`);
    const [config] = configs;
    if (config === undefined) throw new Error('no configuration');
    const clock = manualClock(Date.UTC(2025, 0, 1));
    await using app = createApp(config, { clock, random: seededRandom(1), log: silentLogger() });
    await using daemons = await openDaemons(app, configs);
    expect(daemons.pages.map(({ name }) => name)).toEqual(['now']);
    const ending = new AbortController();
    const running = daemons.run(ending.signal);
    const told = (): string[] =>
      receiver.received
        .map(({ body }) => JSON.parse(body) as Record<'name' | 'what' | 'cause', string>)
        .filter(({ cause }) => cause.startsWith('failed start'))
        .map(({ what }) => what);
    while (told().length < 1) await turnOfEvents();
    // Once for one cause, however often it is tried.
    for (let minute = 0; minute < 5; minute++) await clock.advance(60_000);
    rmSync(folder.at('data/later'));
    while (told().length < 2) {
      await clock.advance(60_000);
      await turnOfEvents();
    }
    const why = `The folder ${folder.at('data/later')} cannot be used: a file is in its place`;
    // The clock may run ahead of an answer, for which it is then sent once more.
    const runs = receiver.received.map(({ body }) => (JSON.parse(body) as { run: string }).run);
    expect([...new Set(runs)]).toEqual(['docmirror doctor --platform later']);
    expect([...new Set(told())]).toEqual([
      `The daemon cannot begin (DM_DATA_DIR_UNUSABLE): ${why}`,
      'The daemon has begun',
    ]);
    ending.abort();
    await running;
  });

  it('reminds of one that cannot begin at its times when the clock of the machine is set back by years', async () => {
    using folder = testFolder();
    await using receiver = await startReceiver();
    const configs = configured(folder, receiver.url);
    const [config] = configs;
    if (config === undefined) throw new Error('no configuration');
    let jump = 0;
    const clock = manualClock(Date.UTC(2025, 0, 1));
    const jumping = { ...clock, now: () => clock.now() + jump };
    await using app = createApp(config, { clock: jumping, random: seededRandom(1), log: silentLogger() });
    await using daemons = await openDaemons(app, configs);
    const ending = new AbortController();
    const running = daemons.run(ending.signal);
    const reminders = (): boolean[] =>
      receiver.received
        .map(({ body }) => JSON.parse(body) as { cause: string; reminder: boolean })
        .filter(({ cause }) => cause.startsWith('failed start'))
        .map(({ reminder }) => reminder);
    while (reminders().length < 1) await turnOfEvents();
    // Until its answer has come: a second one is sent only when the first was not taken.
    for (let minute = 0; minute < 5; minute++) await clock.advance(60_000);
    jump = -3 * 366 * 86_400_000;
    const { remindAfterMs } = config.notify;
    for (let passed = 0; passed < 2 * remindAfterMs && !reminders().includes(true); passed += 60_000) {
      await clock.advance(60_000);
      await turnOfEvents();
    }
    expect(reminders()).toContain(true);
    ending.abort();
    await running;
  });

  it('ends at once while one of its platforms still waits for its data directory', async () => {
    using folder = testFolder();
    await using receiver = await startReceiver();
    const configs = configured(folder, receiver.url);
    const [config] = configs;
    if (config === undefined) throw new Error('no configuration');
    await using app = createApp(config, { clock: manualClock(), random: seededRandom(1), log: silentLogger() });
    await using daemons = await openDaemons(app, configs);
    const ending = new AbortController();
    const running = daemons.run(ending.signal);
    while (receiver.received.length === 0) await turnOfEvents();
    ending.abort();
    await running;
  });

  it('of one platform stays up while its disk is full, says so and begins when there is room: it ended at once', async (test) => {
    const { disk, folder: dataDir } = givenSmallDisk(test);
    await using receiver = await startReceiver();
    const environment = {
      DOCMIRROR_BASE_URL: 'https://platform.test',
      DOCMIRROR_TOKEN: 'none',
      DOCMIRROR_DATA_DIR: dataDir,
      DOCMIRROR_NOTIFY_WEBHOOK: receiver.url,
      DOCMIRROR_STATUS_PORT: '0',
    };
    const configs = loadConfigs({ flags: {}, environment, cwd: dataDir, readFile: () => null });
    const [config] = configs;
    if (config === undefined) throw new Error('no configuration');
    disk.fill(0);
    const clock = manualClock(Date.UTC(2025, 0, 1));
    await using app = createApp(config, { clock, random: seededRandom(1), log: silentLogger() });
    await using daemons = await openDaemons(app, configs);
    expect(daemons.pages).toEqual([]);
    const ending = new AbortController();
    const running = daemons.run(ending.signal);
    while (receiver.received.length === 0) await turnOfEvents();
    expect(receiver.received[0]?.body).toContain('DM_DISK_FULL');
    disk.free();
    const hasBegun = (): boolean => receiver.received.some(({ body }) => body.includes('The daemon has begun'));
    while (!hasBegun()) {
      await clock.advance(60_000);
      await turnOfEvents();
    }
    ending.abort();
    await running;
  });

  it('ends with the reason when no platform of the list can begin', async () => {
    using folder = testFolder();
    configured(folder, 'http://127.0.0.1:9/');
    writeFileSync(folder.at('data/now'), 'in the way');
    const { code, stderr } = await runOwnProcess(['daemon'], {
      env: { DOCMIRROR_CONFIG: folder.at('docmirror.yaml') },
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${folder.at('data/now')} cannot be used`)]);
  });
});
