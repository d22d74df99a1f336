// The list of platforms changes below a daemon that runs.
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCli, startCli, testFolder, type Started, type TestFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';
import { untilPagesServed } from '../support/until-served.ts';

const FAR = 'sync: 0 0 1 1 *, drill: null, check: null, report: null, jitter: 0s';

interface Entry {
  readonly name: string;
  readonly of: { readonly url: string; readonly token: string };
  readonly more?: string;
}

/** Writes the list, and gives the environment that leads to it. */
function list(folder: TestFolder, entries: readonly Entry[]): Record<string, string> {
  const lines = entries.map(
    ({ name, of, more = '' }) => `  - {name: ${name}, platform: {baseUrl: "${of.url}", token: ${of.token}}${more}}`,
  );
  const head = `dataDir: ${folder.at('data')}\nstatus: {port: 0}\nschedule: {${FAR}}`;
  writeFileSync(folder.at('docmirror.yaml'), `${head}\nplatforms:\n${lines.join('\n')}\n`);
  return { DOCMIRROR_CONFIG: folder.at('docmirror.yaml') };
}

function pageOf(text: string, name: string): string {
  const said = new RegExp(`Status page of ${name}: (\\S+)`).exec(text)?.[1];
  const begun = new RegExp(`"platform":"${name}".*"url":"([^"]+)".*this platform has begun`).exec(text)?.[1];
  return new URL(said ?? begun ?? '').origin;
}

async function sealed(daemon: Started, name: string): Promise<string> {
  return daemon.until(new RegExp(`"platform":"${name}".*snapshot sealed`));
}

describe('cli/listed-platforms', () => {
  it('a platform added to the list is mirrored after SIGHUP, one taken out of it ends after the walk that it is in, and the third goes on', async () => {
    await using stays = await startSeeded({ token: 'tok_stays' });
    await using goes = await startSeeded({ token: 'tok_goes', pages: 12 });
    await using comes = await startSeeded({ token: 'tok_comes' });
    goes.faults = [{ operation: 'getPage', effect: { delayMs: 200 } }];
    using folder = testFolder();
    const [one, two, three] = [
      { name: 'stays', of: stays },
      { name: 'goes', of: goes },
      { name: 'comes', of: comes },
    ];
    const env = list(folder, [one, two]);
    const daemon = startCli(['daemon'], { env });
    try {
      await sealed(daemon, 'stays');
      await untilPagesServed(goes, 3);
      list(folder, [one, three]);
      daemon.child.kill('SIGHUP');
      await sealed(daemon, 'comes');
      const text = await daemon.until(/"platform":"goes".*this platform has ended, its data stays/);
      expect(text).toMatch(/"platform":"goes".*"state":"complete".*snapshot sealed/);
      expect(text).not.toMatch(/"level":"(?:warn|error)"/);
      await expect(fetch(pageOf(text, 'goes'))).rejects.toThrow('fetch failed');
      for (const name of ['stays', 'comes']) {
        const metrics = await (await fetch(`${pageOf(text, name)}/metrics`)).text();
        expect(metrics).toContain(`docmirror_platform_info{platform="${name}"} 1`);
      }
      const probed = JSON.parse((await runCli(['probe', '--json'], { env })).stdout) as Record<string, unknown>;
      expect(JSON.stringify(probed)).toContain(pageOf(text, 'comes'));
      expect(JSON.stringify(probed)).not.toContain('"goes"');
      // It is free for a daemon of its own, and has what it had.
      list(folder, [two]);
      expect((await runCli(['check'], { env })).code).toBe(0);
      const alone = startCli(['daemon'], { env });
      await alone.until(/Status page/);
      expect((await alone.interrupt('SIGTERM')).code).toBe(0);
    } finally {
      expect((await daemon.interrupt('SIGTERM')).code).toBe(0);
    }
  }, 60_000);

  it('a platform under another name takes over the data directory when the one before has ended its walk', async () => {
    await using platform = await startSeeded({ pages: 12 });
    await using other = await startSeeded();
    platform.faults = [{ operation: 'getPage', effect: { delayMs: 200 } }];
    using folder = testFolder();
    const more = `, dataDir: ${folder.at('kept')}`;
    const beside = { name: 'beside', of: other };
    const env = list(folder, [{ name: 'before', of: platform, more }, beside]);
    const daemon = startCli(['daemon'], { env });
    try {
      await sealed(daemon, 'beside');
      await untilPagesServed(platform, 3);
      list(folder, [{ name: 'after', of: platform, more }, beside]);
      daemon.child.kill('SIGHUP');
      const text = await daemon.until(/"platform":"after".*this platform has begun/);
      expect(text).toMatch(/"platform":"before".*snapshot sealed[\s\S]*"platform":"before".*has ended/);
      expect(text).not.toContain('cannot begin');
    } finally {
      await daemon.interrupt('SIGTERM');
    }
  }, 60_000);

  it('a new platform that would have the port of one that runs is told of, keeps nobody from working, and begins when its entry is corrected', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const first = { name: 'first', of: platform };
    const env = list(folder, [first]);
    const daemon = startCli(['daemon'], { env });
    try {
      const port = new URL(pageOf(await sealed(daemon, 'first'), 'first')).port;
      // What it runs with stays: any free port, which happens to be this one.
      list(folder, [first, { name: 'second', of: platform, more: `, status: {port: ${port}}` }]);
      daemon.child.kill('SIGHUP');
      await daemon.until(/"platform":"second".*DM_PORT_IN_USE.*cannot begin/);
      list(folder, [first, { name: 'second', of: platform, more: `, dataDir: ${folder.at('data', 'first')}` }]);
      daemon.child.kill('SIGHUP');
      await daemon.until(/the configuration is refused/);
      list(folder, [first, { name: 'second', of: { url: platform.url, token: 'null' } }]);
      daemon.child.kill('SIGHUP');
      await daemon.until(/DM_CONFIG_MISSING.*the configuration is refused/);
      list(folder, [first, { name: 'second', of: platform }]);
      daemon.child.kill('SIGHUP');
      await sealed(daemon, 'second');
    } finally {
      expect((await daemon.interrupt('SIGTERM')).code).toBe(0);
    }
  }, 60_000);
});
