// Files of settings as people have them: of other editors, with the habits of a shell.
import { execFile } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { runCli, testFolder, type Ended, type TestFolder } from '../support/cli.ts';

const MAIN = join(import.meta.dirname, '../../dist/main.js');

async function statusWith(folder: TestFolder, settings: string | Buffer, args: readonly string[] = []): Promise<Ended> {
  writeFileSync(folder.at('settings.yaml'), settings);
  return runCli(['status', '--config', 'settings.yaml', ...args], { cwd: folder.path });
}

describe('config/file', () => {
  it.each([
    ['Latin-1', Buffer.from('dataDir: ./Bücher\n', 'latin1')],
    ['UTF-16', Buffer.from('\ufeffdataDir: ./data\n', 'utf16le')],
  ])('takes no folder of another name for the data directory where the file is in %s', async (_name, bytes) => {
    using folder = testFolder();
    const { code, stdout, stderr } = await statusWith(folder, bytes);
    expect(stderr).toMatch(
      /settings\.yaml is not written in UTF-8 \(DM_CONFIG_INVALID\)\n {2}what to do: Save it as UTF-8/,
    );
    expect([code, stdout]).toEqual([2, '']);
  });

  it.each([
    ['settings', ['--config', '/dev/zero']],
    ['a token', ['--token-file', '/dev/zero']],
  ])('ends at a file of %s that does not end: it took all memory, and no signal ended it', async (_name, args) => {
    using folder = testFolder();
    const { code, stderr } = await runCli(['status', ...args], { cwd: folder.path });
    expect(stderr).toMatch(
      /The file "?\/dev\/zero"? holds more than 4 MiB \(DM_CONFIG_INVALID\)\n {2}what to do: Expected/,
    );
    expect(code).toBe(2);
  });

  it('reads a token that a pipe hands out', async () => {
    using folder = testFolder();
    const asked = 'node "$1" status --json --token-file <(echo tok_of_a_pipe) 2>&1; true';
    const { stdout } = await promisify(execFile)('bash', ['-c', asked, '-', MAIN], { cwd: folder.path });
    expect(JSON.parse(stdout)).toMatchObject({ ready: false });
  });

  it('reads UTF-8 with the mark that some editors begin it with', async () => {
    using folder = testFolder();
    const { stdout } = await statusWith(folder, '\ufeffdataDir: ./Bücher\n');
    expect(stdout).toContain(folder.at('Bücher'));
  });

  it('makes no folder called ~ where the home folder is meant', async () => {
    using folder = testFolder();
    const inFile = await statusWith(folder, 'dataDir: ~/docmirror\n');
    expect(inFile.stderr).toContain(
      'Setting dataDir (settings.yaml:1:1) is "~/docmirror"; expected the path of a folder',
    );
    const asFlag = await statusWith(folder, '', ['--data-dir=~/docmirror']);
    expect(asFlag.stderr).toContain('Setting dataDir (--data-dir) is "~/docmirror"; expected the path of a folder');
    expect([inFile.code, asFlag.code]).toEqual([2, 2]);
    expect(readdirSync(folder.path)).toEqual(['settings.yaml']);
  });

  it.each([
    ['export', '--to=~/docs'],
    ['report', '--out=~/report.html'],
    ['platform', '--data=~/platform'],
    ['export', '--to=$HOME/docs'],
  ])('%s makes nothing called ~ or $HOME for %s, which a shell leaves as it is', async (command, option) => {
    using folder = testFolder();
    const { code, stderr } = await runCli([command, option], { cwd: folder.path });
    const [name, value] = option.split('=');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`${name} is "${value}"; expected a path written out`) as string,
    ]);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it.each([
    ['export', '--to', 'docs\r'],
    ['report', '--out', ' report.html'],
    ['platform', '--data', 'plat\nform'],
  ])('%s makes nothing that %s calls %j, as a script from Windows says it', async (command, option, value) => {
    using folder = testFolder();
    const { code, stderr } = await runCli([command, option, value], { cwd: folder.path });
    expect(stderr).toContain(
      `${option} is ${JSON.stringify(value)}; expected a path without space around it or control characters (DM_USAGE)`,
    );
    expect(code).toBe(2);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('says where a second document begins, in words for people', async () => {
    using folder = testFolder();
    const { code, stderr } = await statusWith(folder, 'dataDir: a\n---\ndataDir: b\n');
    expect(stderr).toContain(
      'settings.yaml:2:1 begins another document; expected one, without lines of --- (DM_CONFIG_INVALID)',
    );
    expect(code).toBe(2);
  });
});
