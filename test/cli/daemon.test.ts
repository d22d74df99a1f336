import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  daemonEnvironment,
  documentOf,
  environmentOf,
  MAIN,
  runCli,
  startCli,
  startProgram,
  testFolder,
} from '../support/cli.ts';
import { takeLease } from '../../src/mirror/index.ts';
import { startSeeded } from '../support/seeded-platform.ts';
import { untilPagesServed } from '../support/until-served.ts';
import { startReceiver } from '../support/receiver.ts';

// Nothing is due while a test runs; what was never done is done at the start.
const FAR = 'sync: 0 0 1 1 *, drill: null, check: null, report: null, jitter: 0s';

describe('cli/commands/daemon', () => {
  it('ends of itself, before its watchdog, when it is told to in the middle of a walk, and the next walk goes on from there', async () => {
    await using platform = await startSeeded({ pages: 12 });
    platform.faults = [{ operation: 'getPage', effect: { delayMs: 300 } }];
    using folder = testFolder();
    const env = daemonEnvironment(platform, folder.at('data'));
    const daemon = startCli(['daemon'], { env });
    await daemon.until(/job begins/);
    await untilPagesServed(platform, 8);
    // The watchdog ends a shutdown that hangs after 4.5 seconds, with 130: 0 says that it was not needed.
    expect((await daemon.interrupt('SIGTERM')).code).toBe(0);
    platform.faults = [];
    platform.clearRequestLog();
    const next = await runCli(['sync', '--json'], { env });
    const { snapshot, state } = documentOf<{ snapshot: number; state: string }>(next);
    expect([next.code, snapshot, state]).toEqual([0, 1, 'complete']);
    expect(platform.requestLog.counts()['listOrganizations'] ?? 0).toBe(0);
  });

  it('reads its configuration anew on SIGHUP; one that is wrong is refused, and the old one stays', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const file = folder.at('docmirror.yaml');
    writeFileSync(file, `schedule: {${FAR}}\n`);
    const env = { ...daemonEnvironment(platform, folder.at('data')), DOCMIRROR_CONFIG: file };
    const daemon = startCli(['daemon'], { env });
    try {
      await daemon.until(/job done.*\n.*job scheduled|job scheduled/);
      writeFileSync(file, 'schedule: {sync: every night}\n');
      daemon.child.kill('SIGHUP');
      await daemon.until(/the configuration is refused, the old one stays/);
      writeFileSync(file, `schedule: {${FAR.replace('0 0 1 1 *', '0 0 2 2 *')}}\nstatus: {openProbes: true}\n`);
      daemon.child.kill('SIGHUP');
      const text = await daemon.until(/"next":"\d{4}-02-02T00:00:00.000Z"/);
      expect(text).toContain('"needRestart":["status"]');
      expect(text).toMatch(/"next":"\d{4}-01-01T00:00:00.000Z"/);
    } finally {
      await daemon.interrupt();
    }
  });

  it('is not ended by a SIGHUP that comes while it begins, and reads its configuration anew once it has', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const { DOCMIRROR_TOKEN: token, ...env } = daemonEnvironment(platform, folder.at('data'));
    const pipe = `'${folder.at('token')}'`;
    // Whoever writes into the pipe goes on once the daemon reads its settings from it.
    const meanwhile = `exec 3> ${pipe}; kill -HUP $$; rm ${pipe}; printf %s '${token}' > ${pipe}; printf %s '${token}' >&3`;
    const typed = `mkfifo ${pipe}; (${meanwhile}) & exec '${process.execPath}' '${MAIN}' daemon --token-file ${pipe}`;
    const daemon = startProgram('bash', ['-c', typed], { env });
    await daemon.until(/configuration reloaded/);
    expect((await daemon.interrupt('SIGTERM')).code).toBe(0);
  });

  it('begins with a token that comes through a pipe: it read its settings twice, and the second time nothing came', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const { DOCMIRROR_TOKEN: token, ...env } = daemonEnvironment(platform, folder.at('data'));
    const typed = `exec '${process.execPath}' '${MAIN}' daemon --token-file <(printf %s '${token}')`;
    const daemon = startProgram('bash', ['-c', typed], { env });
    expect(await daemon.until(/Status page|DM_CONFIG_INVALID/)).toContain('Status page');
    expect((await daemon.interrupt('SIGTERM')).code).toBe(0);
  });

  it('runs every platform of the list, each with its own token, mirror and status page', async () => {
    await using first = await startSeeded({ token: 'tok_of_the_first' });
    await using second = await startSeeded({ token: 'tok_of_the_second', pages: 5 });
    using folder = testFolder();
    const entries = [first, second].map(
      ({ url, token }, place) => `  - {name: p${place}, platform: {baseUrl: "${url}", token: ${token}}}`,
    );
    const head = `dataDir: ${folder.at('data')}\nstatus: {port: 0}\nschedule: {${FAR}}`;
    writeFileSync(folder.at('docmirror.yaml'), `${head}\nplatforms:\n${entries.join('\n')}\n`);
    const env = { DOCMIRROR_CONFIG: folder.at('docmirror.yaml') };
    const daemon = startCli(['daemon', '--json'], { env });
    try {
      const text = await daemon.until(/(?:snapshot sealed[\s\S]*){2}/);
      const { pages } = JSON.parse(text.slice(0, text.indexOf('\n'))) as { pages: { name: string; url: string }[] };
      expect(pages.map(({ name }) => name)).toEqual(['p0', 'p1']);
      for (const { name, url } of pages) {
        const metrics = await (await fetch(`${url}/metrics`)).text();
        expect(metrics).toContain(`docmirror_platform_info{platform="${name}"} 1`);
        expect(metrics).toMatch(/docmirror_requests_total\{operation="listOrganizations",status="200"\} 1\n/);
      }
    } finally {
      await daemon.interrupt();
    }
    const query = ['query', 'select count(*) as n from pages', '--json'];
    const [all, one, other] = await Promise.all([
      runCli(query, { env }),
      runCli([...query, '--platform', 'p0'], { env }),
      runCli([...query, '--platform', 'p1'], { env }),
    ]);
    expect([all.code, one.code, other.code]).toEqual([2, 0, 0]);
    expect(all.stderr + all.stdout).toContain('Several platforms are configured (p0, p1)');
    expect(one.stdout).not.toBe(other.stdout);
    // About none of the platforms in the list.
    const ledger = await runCli(['restore', 'ledger'], { env });
    expect([ledger.code, ledger.stderr]).toEqual([0, '']);
    const embedded = startCli(['platform', '--port', '0'], { env });
    expect(await embedded.until(/"organizations"/)).toContain('{"url"');
    await embedded.interrupt();
  });
});

function pingsTo({ url }: { url: string }): Record<string, string> {
  return {
    DOCMIRROR_PING_START: `${url}/start`,
    DOCMIRROR_PING_SUCCESS: `${url}/success`,
    DOCMIRROR_PING_FAILURE: `${url}/failure`,
  };
}

describe('cli/commands/sync, told to a dead-man switch', () => {
  it('pings and sends messages as the daemon does, for a scheduler of somebody else', async () => {
    await using platform = await startSeeded();
    await using receiver = await startReceiver();
    using folder = testFolder();
    mkdirSync(folder.at('data'));
    const env = {
      ...environmentOf(platform, folder.at('data')),
      ...pingsTo(receiver),
      DOCMIRROR_NOTIFY_WEBHOOK: `${receiver.url}/message`,
    };
    const paths = (): string[] => receiver.received.splice(0).map(({ path }) => path);
    expect([(await runCli(['sync'], { env })).code, paths()]).toEqual([0, ['/start', '/success']]);
    const refused = await runCli(['sync'], { env: { ...env, DOCMIRROR_TOKEN: 'tok_refused' } });
    expect([refused.code, paths()]).toEqual([1, ['/start', '/failure', '/message']]);
    expect(JSON.parse(readFileSync(folder.at('data', 'daemon.json'), 'utf8'))).toHaveProperty([
      'notices',
      'token refused',
    ]);
    await runCli(['sync'], { env });
    expect(paths()).toEqual(['/start', '/success', '/message']);
  });

  it('asks the dead-man switch nothing for a walk that another process keeps from beginning: that failed the switch of a mirror that was well', async () => {
    await using platform = await startSeeded();
    await using receiver = await startReceiver();
    using folder = testFolder();
    mkdirSync(folder.at('data'));
    const env = { ...environmentOf(platform, folder.at('data')), ...pingsTo(receiver) };
    const sync = async (): Promise<unknown> => {
      const { code, stderr } = await runCli(['sync'], { env });
      const paths = receiver.received.splice(0).map(({ path }) => path);
      return { code, isLocked: stderr.includes('DM_DATA_DIR_LOCKED'), paths };
    };
    {
      using _drill = await takeLease(folder.at('data'), 'drill');
      expect(await sync()).toEqual({ code: 1, isLocked: true, paths: [] });
    }
    expect(await sync()).toEqual({ code: 0, isLocked: false, paths: ['/start', '/success'] });
  });
});
