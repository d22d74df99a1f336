// Two real processes on one folder: the second ends at once, and the first does not notice.
import { describe, expect, it } from 'vitest';
import { daemonEnvironment, runCli, runOwnProcess, startCli, testFolder } from '../support/cli.ts';
import { expectRefused, SINCE } from '../support/second-process.ts';
import { startSeeded } from '../support/seeded-platform.ts';

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
