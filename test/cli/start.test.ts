import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FaultPlan } from '../../src/platform/index.ts';
import {
  daemonEnvironment,
  documentOf,
  MAIN,
  runCli,
  runOwnProcess,
  startCli,
  startProgram,
  testFolder,
} from '../support/cli.ts';
import { edit, insert } from '../support/content.ts';
import { editorOf, startSeeded } from '../support/seeded-platform.ts';
import { addressIn, bodyOf } from '../support/status-page.ts';

describe('cli/commands/start', () => {
  it('says that a mirror whose first walk is partial is not ready: it said that it was, and named a readable tree that was not there', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    platform.faults = [{ operation: 'listComments', effect: { status: 403 } }];
    const running = startCli(['start'], { env: daemonEnvironment(platform, folder.at('data')) });
    const text = await running.until(/Ctrl-C ends it/);
    expect(text).toMatch(
      /\nNot ready\n {2}There is no complete snapshot yet\n.*\n {2}what to do: docmirror snapshots show 1/,
    );
    expect(text).toContain('content (not there yet: a complete snapshot writes it)');
    expect(text).not.toContain('Ready.');
    expect((await bodyOf(`${addressIn(text)}/readyz`)).status).toBe(503);
    expect((await running.interrupt()).code).toBe(0);
  });

  it('says of a partial walk what it read: a tree that failed made fewer than no groups and links, and of nothing it said nothing', async () => {
    await using platform = await startSeeded();
    await using api = editorOf(platform);
    using folder = testFolder();
    writeFileSync(folder.at('docmirror.yaml'), 'freshness: {drill: 1}\n');
    const env = { ...daemonEnvironment(platform, folder.at('data')), DOCMIRROR_CONFIG: folder.at('docmirror.yaml') };
    expect((await runCli(['sync'], { env })).code).toBe(0);
    const asCsv = await runCli(['query', '--csv', 'select id from spaces limit 1'], { env });
    await edit(api, asCsv.stdout.trim().split('\n')[1] ?? '', insert('News', 'Some.'));
    const mirrored = async (faults: FaultPlan): Promise<string | undefined> => {
      platform.faults = faults;
      const running = startCli(['start'], { env });
      const text = await running.until(/Ctrl-C ends it/);
      await running.interrupt();
      expect(text).toMatch(/Drill +passed in /);
      return /Mirrored +(.+)/.exec(text)?.[1];
    };
    expect(await mirrored([{ operation: 'getRevision', effect: { status: 500 } }])).toMatch(/ 2 spaces, 3 pages(,|$)/);
    expect(await mirrored([{ operation: 'listOrganizations', effect: 'empty-list' }])).toBe('nothing was read');
  });

  it('mirrors, exports and drills a platform that is configured, and ends with npm when npm start is told to stop: the daemon was left running', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
    const start = scripts.start.replace('npm run build --silent', 'true').replace('dist/main.js', MAIN);
    writeFileSync(folder.at('package.json'), JSON.stringify({ scripts: { start } }));
    const env = daemonEnvironment(platform, folder.at('data'));
    const running = startProgram('npm', ['start'], { env, cwd: folder.path });
    const text = await running.until(/Ctrl-C ends it/);
    expect(text).toContain('\nReady.\n');
    expect(text).toContain('2 spaces, 6 pages');
    expect(text).not.toContain('embedded');
    const ended = await running.interrupt('SIGTERM');
    expect([ended.code, start.includes(MAIN)]).toEqual([0, true]);
    await expect(bodyOf(addressIn(text))).rejects.toThrow('fetch failed');
  });

  it('says that the port of the status page is taken before it fills the demo: that took a quarter of a minute first', async () => {
    await using taken = await startSeeded();
    using folder = testFolder();
    const env = { DOCMIRROR_STATUS_PORT: new URL(taken.url).port, DOCMIRROR_DATA_DIR: folder.at('data') };
    const ended = await runOwnProcess(['start'], { env, cwd: folder.path });
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('DM_PORT_IN_USE')]);
    expect(existsSync(folder.at('data/platform'))).toBe(false);
  });

  it('refuses half a platform instead of starting the demo', async () => {
    using folder = testFolder();
    const ended = await runOwnProcess(['start'], { env: { DOCMIRROR_TOKEN: 'tok' }, cwd: folder.path });
    expect([ended.code, ended.stderr.includes('DM_CONFIG_MISSING')]).toEqual([2, true]);
  });
});

describe('cli/commands/daemon', () => {
  it('catches up at once, serves its status, and ends cleanly; its log says that the drill passed: it said that it was done', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = daemonEnvironment(platform, folder.at('data'));
    const running = startCli(['daemon'], { env });
    const log = await running.until(/"job":"drill".*"msg":"job done"/);
    expect(log).toMatch(/"snapshot":1,"fields":\d+,"requests":\d+,"msg":"drill passed"/);
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
