// Two real processes on one folder: the second ends at once, and the first does not notice.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  ANY_PORT,
  daemonEnvironment,
  type Ended,
  runCli,
  runOwnProcess,
  startCli,
  testFolder,
  type TestFolder,
} from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

const SINCE = String.raw`since 20\d\d-\d\d-\d\dT[\d:.]+Z`;

function expectRefused({ code, stdout, stderr }: Ended, holder: RegExp): void {
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('DM_ALREADY_RUNNING');
  expect(stderr).toMatch(holder);
  expect(stderr).toContain('end it first');
}

/** The address that commands are told to use, and the names in the folder of the platform. */
function platformIn(folder: TestFolder): string[] {
  const platform = folder.at('data', 'platform');
  const names = readdirSync(platform).filter((name) => !/-(?:wal|shm|journal)$/.test(name));
  return [...names, readFileSync(`${platform}/ports.json`, 'utf8'), readFileSync(`${platform}/token`, 'utf8')];
}

describe('cli/commands/start', () => {
  it('leaves the first start as it is when a second one is tried in the same folder', async () => {
    using folder = testFolder();
    const first = startCli(['start'], { env: ANY_PORT, cwd: folder.path });
    try {
      // It is open and filled, and the first walk is under way.
      const text = await first.until(/Platform: http:\S+\n/);
      const before = platformIn(folder);
      // A free port for the status page: nothing but the lock is in the way.
      const second = await runOwnProcess(['start'], { env: ANY_PORT, cwd: folder.path });
      expectRefused(second, new RegExp(`start, process ${first.child.pid}, ${SINCE}`));
      const beside = await runCli(['platform', '--data', folder.at('data', 'platform')], { cwd: folder.path });
      expectRefused(beside, new RegExp(`start, process ${first.child.pid}, ${SINCE}`));
      expect(platformIn(folder)).toEqual(before);
      const { stderr } = await runCli(['sync'], { cwd: folder.path });
      expect(stderr).toContain(`--base-url ${/Platform: (\S+)/.exec(text)?.[1]}/ `);
    } finally {
      first.child.kill('SIGKILL');
      await first.ended;
    }
    const again = startCli(['start'], { env: ANY_PORT, cwd: folder.path });
    await again.until(/filled by an earlier start/);
    await again.interrupt();
  }, 120_000);
});

describe('cli/commands/daemon', () => {
  it('ends at once where a daemon runs already, while commands work beside it', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = daemonEnvironment(platform, folder.at('data'));
    const first = startCli(['daemon'], { env });
    try {
      await first.until(/"job":"report".*"msg":"job done"/);
      const holder = new RegExp(`daemon, process ${first.child.pid}, ${SINCE}`);
      for (const command of ['daemon', 'start']) expectRefused(await runOwnProcess([command], { env }), holder);
      for (const args of [['sync'], ['query', 'select 1'], ['doctor']]) {
        expect([args[0], (await runCli(args, { env })).code]).toEqual([args[0], 0]);
      }
      const elsewhere = startCli(['daemon'], { env: { ...env, DOCMIRROR_DATA_DIR: folder.at('other') } });
      await elsewhere.until(/Status page/);
      expect((await elsewhere.interrupt('SIGTERM')).code).toBe(0);
    } finally {
      expect((await first.interrupt('SIGTERM')).code).toBe(0);
    }
  }, 60_000);
});

describe('cli/commands/serve', () => {
  it('sends nobody to end the daemon that shows the status page already', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = daemonEnvironment(platform, folder.at('data'));
    const daemon = startCli(['daemon'], { env });
    try {
      const port = /Status page: http:\/\/127\.0\.0\.1:(\d+)/.exec(await daemon.until(/Status page: \S+\n/))?.[1] ?? '';
      const { code, stderr } = await runOwnProcess(['serve'], { env: { ...env, DOCMIRROR_STATUS_PORT: port } });
      expect(stderr).toContain(`the daemon of this data directory runs (daemon, process ${daemon.child.pid}`);
      expect(stderr).toContain('It shows the status page itself');
      expect(stderr).not.toContain('end the process');
      expect(code).toBe(1);
    } finally {
      await daemon.interrupt('SIGTERM');
    }
  });
});

describe('cli/commands/platform', () => {
  it('runs once in each folder, and side by side in two', async () => {
    using folder = testFolder();
    const args = (name: string): string[] => ['platform', '--data', folder.at(name)];
    const first = startCli(args('one'));
    await first.until(/"token"/);
    const other = startCli(args('two'));
    await other.until(/"token"/);
    const second = await runOwnProcess([...args('one'), '--seed', 'scale', '--spaces', '1', '--rate', '5']);
    expectRefused(second, new RegExp(`platform, process ${first.child.pid}, ${SINCE}`));
    expect([(await first.interrupt()).code, (await other.interrupt()).code]).toEqual([0, 0]);
  });
});
