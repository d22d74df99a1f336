import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { viewKinds } from '../../src/contract/index.ts';
import { recipeOf, runQuery } from '../../src/mirror/index.ts';
import {
  ANY_PORT,
  daemonEnvironment,
  documentOf,
  MAIN,
  runCli,
  runOwnProcess,
  startCli,
  startProgram,
  testFolder,
} from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

async function bodyOf(url: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(url);
  return { status: answer.status, text: await answer.text() };
}

function addressIn(text: string): string {
  return /Status page\s+(http:\S+)/.exec(text)?.[1] ?? '';
}

describe('cli/commands/start', () => {
  it('mirrors, exports and drills the demo, stays up, and finds it again at the next start', async () => {
    using folder = testFolder();
    const first = startCli(['start'], { env: ANY_PORT, cwd: folder.path });
    const text = await first.until(/Ctrl-C ends it/);
    expect(Number(/(\d+) pages/.exec(text.slice(text.indexOf('Mirrored')))?.[1])).toBeGreaterThanOrEqual(300);
    expect(text).toMatch(/Drill +passed/);
    expect(await bodyOf(`${addressIn(text)}/readyz`)).toMatchObject({ status: 200 });
    expect((await bodyOf(addressIn(text))).text).toContain('Ready: the mirror is fresh and proven');
    const ended = await first.interrupt();
    expect(ended.code).toBe(0);
    expect(statSync(folder.at('data', 'platform', 'token')).mode & 0o777).toBe(0o600);
    const token = readFileSync(folder.at('data', 'platform', 'token'), 'utf8');
    expect(ended.stdout + ended.stderr).not.toContain(token);

    const second = startCli(['start'], { env: ANY_PORT, cwd: folder.path });
    expect(await second.until(/Ctrl-C ends it/)).toContain('filled by an earlier start');
    expect((await second.interrupt('SIGTERM')).code).toBe(0);
    const snapshots = documentOf<Record<string, unknown>[]>(
      await runCli(['snapshots', '--json'], { cwd: folder.path }),
    );
    expect(snapshots.map((row) => row['state'])).toEqual(['complete', 'complete']);
    expect(snapshots[1]?.['origin']).toBe(snapshots[0]?.['origin']);

    const rowsOf = (sql: string): unknown[] => runQuery(folder.at('data'), sql, null).rows;
    expect([...viewKinds().keys()].filter((view) => rowsOf(`select 1 from ${view} limit 1`).length === 0)).toEqual([]);
    expect(rowsOf(recipeOf('dangling-references')?.sql ?? '')).toEqual([]);
    expect(await runCli(['check', '--read-data'], { cwd: folder.path })).toMatchObject({ code: 0 });
  }, 120_000);

  it('says to start again when its first walk was interrupted: docmirror sync, which it named, has no platform then', async () => {
    using folder = testFolder();
    // So slow that the walk tells how far it is before it is over.
    mkdirSync(folder.at('config'));
    writeFileSync(folder.at('config', 'docmirror.yaml'), 'limits: {requestsPerSecond: 20}\n');
    const first = startCli(['start'], { env: ANY_PORT, cwd: folder.path });
    await first.until(/^walk: /m);
    const { code, stderr } = await first.interrupt();
    expect(stderr).toContain('The walk of snapshot 1 was interrupted');
    expect([code, /what to do: (.*)/.exec(stderr)?.[1]]).toEqual([
      130,
      'Run the same command again; it continues from what was committed.',
    ]);
    const { stdout } = await runCli(['status'], { cwd: folder.path });
    expect(stdout).toContain('what to do: docmirror start;');
    expect(stdout).toContain('snapshot 1 was cut off; run docmirror start to continue it');
  });

  it('does the same against a platform that is configured', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = daemonEnvironment(platform, folder.at('data'));
    const running = startCli(['start'], { env });
    const text = await running.until(/Ctrl-C ends it/);
    expect(text).toContain('2 spaces, 6 pages');
    expect(text).not.toContain('embedded');
    expect((await running.interrupt()).code).toBe(0);
  });

  it('ends with npm when npm start is told to stop: the daemon was left running', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
    const start = scripts.start.replace('npm run build --silent', 'true').replace('dist/main.js', MAIN);
    writeFileSync(folder.at('package.json'), JSON.stringify({ scripts: { start } }));
    const env = daemonEnvironment(platform, folder.at('data'));
    const running = startProgram('npm', ['start'], { env, cwd: folder.path });
    const url = addressIn(await running.until(/Ctrl-C ends it/));
    const ended = await running.interrupt('SIGTERM');
    expect([ended.code, start.includes(MAIN)]).toEqual([0, true]);
    await expect(bodyOf(url)).rejects.toThrow('fetch failed');
  });

  it('refuses half a platform instead of starting the demo', async () => {
    using folder = testFolder();
    const ended = await runOwnProcess(['start'], { env: { DOCMIRROR_TOKEN: 'tok' }, cwd: folder.path });
    expect([ended.code, ended.stderr.includes('DM_CONFIG_MISSING')]).toEqual([2, true]);
  });
});

describe('cli/commands/daemon', () => {
  it('catches up at once, serves its status, and ends cleanly', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = daemonEnvironment(platform, folder.at('data'));
    const running = startCli(['daemon'], { env });
    await running.until(/"job":"drill".*"msg":"job done"/);
    const url = /http:\/\/\S+/.exec(await running.until(/Status page/))?.[0] ?? '';
    expect((await bodyOf(`${url}/healthz`)).status).toBe(200);
    expect((await bodyOf(`${url}/readyz`)).status).toBe(200);
    expect((await bodyOf(`${url}/metrics`)).text).toContain('docmirror_job_running{job="sync"} 0');
    const ended = await running.interrupt('SIGTERM');
    expect(ended.code).toBe(0);
    expect(ended.stderr).not.toContain(platform.token);
  });
});

describe('cli/commands/platform', () => {
  it('prints one line of JSON, answers, and is found again in its folder', async () => {
    using folder = testFolder();
    const args = ['platform', '--data', folder.at('platform'), '--seed', 'scale', '--spaces', '2', '--pages', '2'];
    const first = startCli(args);
    await first.until(/\n$/);
    const ended = await first.interrupt();
    expect([ended.code, ended.stdout.split('\n').length]).toEqual([0, 2]);
    const about = documentOf<{ url: string; token: string; organizations: string[] }>(ended);
    expect(Object.keys(about)).toEqual(['url', 'token', 'organizations']);
    const again = startCli(args, { env: { DOCMIRROR_PLATFORM_TOKEN: 'tok_given' } });
    await again.until(/"token"/);
    const authorization = { authorization: 'Bearer tok_given' };
    const answer = await fetch(`${about.url}/v1/orgs`, { headers: authorization });
    expect(answer.status).toBe(200);
    const second = documentOf<typeof about>(await again.interrupt());
    expect(second).toEqual({ ...about, token: 'tok_given' });
  });

  it('fills itself unhindered by the rate and the faults that it is to show', async () => {
    using folder = testFolder();
    writeFileSync(folder.at('faults.json'), JSON.stringify([{ operation: 'importContent', effect: { status: 500 } }]));
    const args = ['--seed', 'scale', '--spaces', '5', '--pages', '2', '--rate', '1', '--faults', 'faults.json'];
    const running = startCli(['platform', ...args], { cwd: folder.path });
    const { url, token } = JSON.parse(await running.until(/\n$/)) as { url: string; token: string };
    const headers = { authorization: `Bearer ${token}` };
    const answers = [await fetch(`${url}/v1/orgs`, { headers }), await fetch(`${url}/v1/orgs`, { headers })];
    expect(answers.map((answer) => answer.headers.get('x-ratelimit-limit'))).toEqual(['1', '1']);
    expect((await running.interrupt()).code).toBe(0);
  });

  it('names a fault plan that is wrong', async () => {
    using folder = testFolder();
    const ended = await runOwnProcess(['platform', '--faults', folder.at('nothing.json')]);
    expect([ended.code, ended.stderr.includes('DM_USAGE')]).toEqual([2, true]);
  });
});
