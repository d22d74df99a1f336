import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { documentOf, runCli, testFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

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
      platform: { baseUrl: platform.url, tokenFile: folder.at('docmirror.token') },
      dataDir: './mirror',
      schedule: { timezone: 'Europe/Berlin', sync: '0 2 * * *', drill: '0 4 * * 0' },
    });
    expect(readFileSync(folder.at('docmirror.token'), 'utf8')).toBe(`${platform.token}\n`);
    expect(statSync(folder.at('docmirror.token')).mode & 0o077).toBe(0);
    const synced = await runCli(['sync', '--config', 'own.yaml', '--json'], { cwd: folder.path });
    expect([synced.code, documentOf(synced)]).toMatchObject([0, { state: 'complete' }]);
  });

  it('writes no configuration when Ctrl-C is typed at a question, and ends as interrupted', async () => {
    using folder = testFolder();
    writeFileSync(folder.at('token.txt'), 'tok\n');
    const { code, text } = await inTerminal(folder.path, ['http://127.0.0.1:9', 'token.txt', '\u0003']);
    expect(code, text).toBe(130);
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
    expect(readFileSync(folder.at('docmirror.token'), 'utf8')).toBe(`${platform.token}\n`);
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
    const bare = await runCli(['init', '--yes', 'd.yaml'], { cwd: folder.path });
    expect([bare.code, existsSync(folder.at('d.yaml'))]).toEqual([2, false]);
  });
});
