// The unit for systemd: what it starts is started here, as it says, with the file that its first lines have `init` write.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCli, runOwnProcess, startProgram, testFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

const TEXT = readFileSync('config/docmirror.service', 'utf8');
const SETTINGS = '/etc/docmirror/docmirror.yaml';

function valueOf(name: string): string {
  return new RegExp(`^${name}=(.*)$`, 'm').exec(TEXT)?.[1] ?? '';
}

describe('config/docmirror.service', () => {
  it('starts a daemon with what init wrote, has it read that anew, and ends it', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const [file, data, token] = [folder.at('etc', 'docmirror.yaml'), folder.at('data'), folder.at('token')];
    const env = { DOCMIRROR_STATUS_PORT: '0' };
    writeFileSync(token, platform.token);
    const told = /init (--data-dir) \S+ \S+$/m.exec(TEXT)?.[1] ?? '';
    const own = ['--base-url', platform.url, '--token-file', token, told, data];
    await runCli(['init', '--yes', ...own, file], { env });
    const [program = '', ...words] = valueOf('ExecStart').split(' ');
    expect(words).toContain(SETTINGS);
    const daemon = startProgram(
      program,
      words.map((word) => (word === SETTINGS ? file : word)),
      { env },
    );
    await daemon.until(/job scheduled/);
    expect(valueOf('ExecReload')).toBe('/bin/kill -HUP $MAINPID');
    daemon.child.kill('SIGHUP');
    await daemon.until(/configuration reloaded/);
    expect((await daemon.interrupt('SIGTERM')).code).toBe(0);
  });

  it('keeps the data directory where init was told, and is not started again for settings that are wrong', async () => {
    expect(TEXT).toContain(`--data-dir /var/lib/${valueOf('StateDirectory')} ${SETTINGS}`);
    using folder = testFolder();
    const { code } = await runOwnProcess(['daemon', '--config', folder.at('missing.yaml')]);
    expect(valueOf('RestartPreventExitStatus')).toBe(String(code));
  });

  it('is started again where a reload that came too early ended it: systemd takes that for a wanted end', () => {
    expect(valueOf('RestartForceExitStatus')).toBe('SIGHUP');
  });
});
