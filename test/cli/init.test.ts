import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { documentOf, runCli, testFolder, type Ended } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';
import { givenSmallDisk } from '../support/small-disk.ts';

const MAIN = join(import.meta.dirname, '../../dist/main.js');

interface Answered {
  code: number | null;
  text: string;
}

/** Runs `init` in a terminal of its own, and types an answer whenever a question stands there. */
function inTerminal(cwd: string, answers: readonly string[]): Promise<Answered> {
  const child = spawn('script', ['-qec', `${process.execPath} ${MAIN} init own.yaml`, '/dev/null'], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm', NO_COLOR: '1', TZ: 'UTC' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let text = '';
  let typed = 0;
  let seen = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    const asked = /: $/.exec(text.slice(seen));
    if (!asked || typed >= answers.length) return;
    seen = text.length;
    child.stdin.write(`${answers[typed++] ?? ''}\n`);
  });
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, text }));
  });
}

describe('cli/commands/init', () => {
  it('asks for what it needs, keeps the token in a file of its own, and tries it out', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const answers = [platform.url, '', platform.token, './mirror', '', '', 'Europe/Berlin', ''];
    const { code, text } = await inTerminal(folder.path, answers);
    expect(code, text).toBe(0);
    expect(text).toContain('Wrote own.yaml');
    expect(text, 'what is typed as a token is not shown').not.toContain(platform.token);
    const written = readFileSync(folder.at('own.yaml'), 'utf8');
    expect(written).not.toContain(platform.token);
    expect(parse(written)).toMatchObject({
      platform: { baseUrl: platform.url, tokenFile: folder.at('own.token') },
      dataDir: folder.at('mirror'),
      schedule: { timezone: 'Europe/Berlin', sync: '0 2 * * *', drill: '0 4 * * *' },
    });
    expect(readFileSync(folder.at('own.token'), 'utf8')).toBe(`${platform.token}\n`);
    expect(statSync(folder.at('own.token')).mode & 0o077).toBe(0);
    const synced = await runCli(['sync', '--config', 'own.yaml', '--json'], { cwd: folder.path });
    expect([synced.code, documentOf(synced)]).toMatchObject([0, { state: 'complete' }]);
  });

  it('asks for the token again when nothing was typed: it ended there, though every other answer is asked for again', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const answers = [platform.url, '', '', platform.token, './mirror', '', '', 'Europe/Berlin', ''];
    const { code, text } = await inTerminal(folder.path, answers);
    expect([code, text]).toEqual([0, expect.stringContaining('Nothing was typed. Access token (not shown): ')]);
  });

  it('writes no configuration when Ctrl-C is typed at a question, and ends as interrupted', async () => {
    using folder = testFolder();
    writeFileSync(folder.at('token.txt'), 'tok\n');
    const { code, text } = await inTerminal(folder.path, ['http://127.0.0.1:9', 'token.txt', '\u0003']);
    expect(code, text).toBe(130);
    expect(existsSync(folder.at('own.yaml'))).toBe(false);
  });

  it('ends when Ctrl-D is typed where the token is asked for: it asked on without end, thousands of times a second', async () => {
    using folder = testFolder();
    const { code, text } = await inTerminal(folder.path, ['http://127.0.0.1:9', '', '\u0004']);
    expect([code, text]).toEqual([2, expect.stringContaining('The token is missing (DM_USAGE)')]);
    expect(existsSync(folder.at('own.yaml'))).toBe(false);
  });

  it('keeps a token out of the configuration that was typed where a file name belongs', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const answers = [platform.url, platform.token, '', platform.token, './mirror', '', '', 'UTC', ''];
    const { code, text } = await inTerminal(folder.path, answers);
    expect(code, text).toBe(0);
    expect(text).toContain('There is no such file. File that holds the access token');
    expect(readFileSync(folder.at('own.yaml'), 'utf8')).not.toContain(platform.token);
    expect(readFileSync(folder.at('own.token'), 'utf8')).toBe(`${platform.token}\n`);
  });

  it('names the file that it has written with each command of what it found: a sync that was copied from it went without', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    writeFileSync(folder.at('token.txt'), `${platform.token}\n`, { mode: 0o600 });
    // Nothing is put in the place of what looks like a variable.
    const place = ['--data-dir', './mirror ${of} mine'];
    const args = ['init', '--yes', '--base-url', platform.url, '--token-file', 'token.txt', ...place];
    const { code, stdout } = await runCli([...args, 'of my own.yaml'], { cwd: folder.path });
    expect(code, stdout).toBe(0);
    expect(stdout).toContain("what to do: Run docmirror sync --config 'of my own.yaml'.");
    expect(stdout).toContain(
      "Next: docmirror sync --config 'of my own.yaml', then docmirror daemon --config 'of my own.yaml'",
    );
  });

  it('names no file with the commands where that is found by itself: README, and whoever copied them, had two spellings of one sync', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    writeFileSync(folder.at('token.txt'), `${platform.token}\n`, { mode: 0o600 });
    const args = ['init', '--yes', '--force', '--base-url', platform.url, '--token-file', 'token.txt'];
    const usual = await runCli(args, { cwd: folder.path });
    expect(usual.stdout).toContain('Next: docmirror sync, then docmirror daemon\n');
    expect((await runCli(['sync'], { cwd: folder.path })).code).toBe(0);
    // The variable goes before the usual place.
    const other = await runCli(args, { cwd: folder.path, env: { DOCMIRROR_CONFIG: 'other.yaml' } });
    expect(other.stdout).toContain('Next: docmirror sync --config config/docmirror.yaml, then');
  });

  it('offers UTC where TZ is empty, as a compose file leaves it: the zone that was offered was refused, and no answer had given it', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    writeFileSync(folder.at('token.txt'), `${platform.token}\n`, { mode: 0o600 });
    const args = ['init', '--yes', '--base-url', platform.url, '--token-file', 'token.txt', 'own.yaml'];
    const { code, stdout, stderr } = await runCli(args, { cwd: folder.path, env: { TZ: '' } });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('walks at "0 2 * * *" (UTC)');
  });

  it('asks nothing with --yes, says what a wrong token means, and never overwrites unasked', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    writeFileSync(folder.at('token.txt'), 'tok_that_is_wrong\n');
    const args = ['init', '--yes', '--base-url', platform.url, '--token-file', folder.at('token.txt'), 'c.yaml'];
    const wrong = await runCli([...args, '--json'], { cwd: folder.path });
    expect(wrong.code).toBe(1);
    const { findings } = documentOf<{ findings: { check: string; state: string }[] }>(wrong);
    expect(findings).toContainEqual(expect.objectContaining({ check: 'token', state: 'bad' }));
    const again = await runCli(args, { cwd: folder.path });
    expect([again.code, again.stderr.includes('--force')]).toEqual([2, true]);
    // A walk would fail.
    const told = await runCli([...args, '--force'], { cwd: folder.path });
    expect(told.stdout).toMatch(
      /Next: mend what is BAD, until docmirror doctor --config c\.yaml finds nothing, then docmirror sync/,
    );
    const bare = await runCli(['init', '--yes', 'd.yaml'], { cwd: folder.path });
    expect([bare.code, existsSync(folder.at('d.yaml'))]).toEqual([2, false]);
  });

  it('asks again for hours, a zone and an address that cannot be used, and says what is wrong', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    writeFileSync(folder.at('token.txt'), `${platform.token}\n`);
    writeFileSync(folder.at('empty.txt'), '');
    const addresses = ['localhost:8700', platform.url, 'empty.txt', 'token.txt', './mirror'];
    const hours = ['25:00', '99 2 * * *', '30 1 * * *', 'sundays', '0 4 * * 0', 'Europe/Berln', 'Europe/Berlin'];
    const { code, text } = await inTerminal(folder.path, [...addresses, ...hours, 'nowhere', '']);
    expect(code, text).toBe(0);
    for (const shown of ['"localhost:8700"', '"25:00"', '"99 2 * * *"', '"sundays"', '"Europe/Berln"']) {
      expect(text).toContain(`${shown} cannot be used; expected`);
    }
    expect(text).toContain('That file holds no token');
    expect(text, 'the address of a webhook is a secret').toContain('[secret, 7 characters] cannot be used');
    expect(parse(readFileSync(folder.at('own.yaml'), 'utf8'))).toMatchObject({
      platform: { baseUrl: platform.url, tokenFile: folder.at('token.txt') },
      schedule: { timezone: 'Europe/Berlin', sync: '30 1 * * *', drill: '0 4 * * 0' },
    });
  });

  it('writes nothing when an option cannot be used, so that the corrected command needs no --force', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    writeFileSync(folder.at('token.txt'), `${platform.token}\n`);
    const init = (token: string, zone: string, env = {}): Promise<Ended> => {
      const args = ['--base-url', platform.url, '--token-file', token, '--timezone', zone, 'own/c.yaml'];
      return runCli(['init', '--yes', ...args], { cwd: folder.path, env });
    };
    const wrong = [
      { ended: await init('token.txt', 'Europe/Berln'), said: '--timezone: "Europe/Berln" cannot be used' },
      { ended: await init('none.txt', 'UTC'), said: '--token-file: There is no such file' },
      { ended: await init('.', 'UTC'), said: '--token-file: That file cannot be read (EISDIR)' },
      { ended: await init('/dev/zero', 'UTC'), said: '--token-file: That file holds no token' },
      // Wrong only together with what the environment says.
      { ended: await init('token.txt', 'UTC', { DOCMIRROR_STATUS_PORT: 'x' }), said: 'DOCMIRROR_STATUS_PORT' },
    ];
    for (const { ended, said } of wrong) {
      expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(said) as string });
      expect(ended.stderr).toContain('Nothing was written.');
    }
    expect(existsSync(folder.at('own'))).toBe(false);
    expect(await init('token.txt', 'Europe/Berlin')).toMatchObject({ code: 0 });
  });

  it('writes the address without /v1: each command from then on told on stderr that it leaves that out', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    writeFileSync(folder.at('token.txt'), `${platform.token}\n`, { mode: 0o600 });
    const args = ['--base-url', `${platform.url}/v1/`, '--token-file', 'token.txt', 'own.yaml'];
    expect(await runCli(['init', '--yes', ...args], { cwd: folder.path })).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(folder.at('own.yaml'), 'utf8')).toContain(`baseUrl: ${platform.url}\n`);
    expect(await runCli(['doctor', '--config', 'own.yaml'], { cwd: folder.path })).toMatchObject({ stderr: '' });
  });

  it('says which variables go before what was written, and were tried: an address that answers to nobody seemed to work', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    writeFileSync(folder.at('token.txt'), `${platform.token}\n`, { mode: 0o600 });
    const args = [
      'init',
      '--yes',
      '--token-file',
      'token.txt',
      '--data-dir',
      'data',
      '--force',
      'own.yaml',
      '--base-url',
    ];
    const env = { DOCMIRROR_BASE_URL: platform.url, DOCMIRROR_DATA_DIR: 'data', DOCMIRROR_TOKEN: platform.token };
    const ended = await runCli([...args, 'http://127.0.0.1:9'], { cwd: folder.path, env });
    expect(ended).toMatchObject({
      code: 0,
      stderr:
        'Set in the environment, which goes before own.yaml, and tried in its place: DOCMIRROR_BASE_URL, DOCMIRROR_TOKEN\n',
    });
    const same = { DOCMIRROR_BASE_URL: platform.url, DOCMIRROR_LOG_LEVEL: 'error' };
    expect(await runCli([...args, platform.url], { cwd: folder.path, env: same })).toMatchObject({ stderr: '' });
  });

  it('writes paths in full: a service that was started in another folder had no token, or began a second mirror there without a word', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    mkdirSync(folder.at('elsewhere'));
    writeFileSync(folder.at('token.txt'), `${platform.token}\n`, { mode: 0o600 });
    const args = ['init', '--yes', '--base-url', platform.url, '--token-file', 'token.txt'];
    const write = (...rest: string[]): Promise<Ended> => runCli([...args, ...rest], { cwd: folder.path });
    expect(await write('--data-dir', 'mirror', 'own.yaml')).toMatchObject({ code: 0 });
    expect(await write('offered.yaml')).toMatchObject({ code: 0 });
    const dirOf = (name: string): unknown => parse(readFileSync(folder.at(name), 'utf8')).dataDir;
    expect(['own.yaml', 'offered.yaml'].map(dirOf)).toEqual([folder.at('mirror'), folder.at('data')]);
    const synced = await runCli(['sync', '--config', '../own.yaml'], { cwd: folder.at('elsewhere') });
    expect(synced).toMatchObject({ code: 0 });
    expect(['elsewhere/mirror', 'mirror'].map((path) => existsSync(folder.at(path)))).toEqual([false, true]);
  });

  it('keeps the address that is told in a file of its own: it stood in the configuration, which is shown around and goes into git', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const address = 'http://127.0.0.1:9/hook/T0-secret-${x}';
    const answers = [platform.url, '', platform.token, './mirror', '', '', 'Europe/Berlin', address];
    const { code, text } = await inTerminal(folder.path, answers);
    expect(code, text).toBe(0);
    const written = readFileSync(folder.at('own.yaml'), 'utf8');
    expect(written).not.toContain('T0-secret');
    expect(parse(written)).toMatchObject({ notify: { webhookFile: folder.at('own.webhook') } });
    expect(readFileSync(folder.at('own.webhook'), 'utf8')).toBe(`${address}\n`);
    expect(statSync(folder.at('own.webhook')).mode & 0o077).toBe(0);
  });

  it('leaves the token and address of another configuration in the same folder alone: both had one file, and the first lost its token', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    writeFileSync(folder.at('docmirror.token'), 'first\n');
    writeFileSync(folder.at('own.token'), 'mine\n');
    const refused = await inTerminal(folder.path, [platform.url, '']);
    expect([refused.code, refused.text]).toEqual([2, expect.stringContaining('own.token is there already; --force')]);
    rmSync(folder.at('own.token'));
    const answers = [platform.url, '', platform.token, './mirror', '', '', 'UTC', ''];
    expect(await inTerminal(folder.path, answers)).toMatchObject({ code: 0 });
    expect(readFileSync(folder.at('docmirror.token'), 'utf8')).toBe('first\n');
  });

  it('names the configuration file when it cannot be written, and not the data directory', async () => {
    using folder = testFolder();
    writeFileSync(folder.at('token.txt'), 'tok\n');
    writeFileSync(folder.at('file'), '');
    mkdirSync(folder.at('folder.yaml'));
    // Nobody may make a file in /sys, not even root.
    for (const place of ['/sys/docmirror.yaml', 'file/c.yaml', 'folder.yaml']) {
      const args = ['init', '--yes', '--force', '--base-url', 'http://127.0.0.1:9', '--token-file', 'token.txt', place];
      const { code, stderr } = await runCli(args, { cwd: folder.path });
      expect([place, code]).toEqual([place, 2]);
      expect(stderr).toContain(`The configuration file ${place} cannot be written`);
      expect(stderr).toMatch(/what to do: .*docmirror init FILE/);
      expect(stderr).not.toContain('--data-dir');
    }
  });

  it('leaves no token where the disk has no room for the configuration: the same command was refused for it once there was room', async (context) => {
    const { disk, folder } = givenSmallDisk(context);
    // One file of a page, as that of the token.
    disk.fill(4096);
    const answers = ['http://127.0.0.1:9', '', 'token', './mirror', '', '', 'UTC', ''];
    const { code, text } = await inTerminal(folder, answers);
    expect([code, text]).toEqual([
      1,
      expect.stringMatching(/own\.yaml cannot be written: its disk is full \(DM_DISK_FULL\)/),
    ]);
    expect(readdirSync(folder)).toEqual(['filler']);
    disk.free();
    expect((await inTerminal(folder, answers)).text).toContain('Wrote own.yaml');
  });
});
