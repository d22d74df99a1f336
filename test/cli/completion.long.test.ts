import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shellWord } from '../../src/base/index.ts';
import { environmentOf, runCli, testFolder } from '../support/cli.ts';
import { editorOf, startSeeded } from '../support/seeded-platform.ts';

const MAIN = join(import.meta.dirname, '../../dist/main.js');

/** What bash would offer for a command line, by the script that `completion bash` prints. */
function offered(script: string, line: string): string[] {
  const bin = mkdtempSync(join(tmpdir(), 'docmirror-bin-'));
  try {
    writeFileSync(join(bin, 'docmirror'), `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`, { mode: 0o755 });
    symlinkSync(process.execPath, join(bin, 'node'));
    const words = line.split(' ');
    const program = `
      ${script}
      COMP_LINE=${shellWord(line)}; COMP_POINT=\${#COMP_LINE}
      COMP_WORDS=(${words.map(shellWord).join(' ')}); COMP_CWORD=${words.length - 1}
      $(complete -p docmirror | sed 's/.*-F \\([^ ]*\\).*/\\1/')
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: bin };
    return execFileSync('bash', ['-c', program], { env, encoding: 'utf8' })
      .split('\n')
      .filter((word) => word !== '');
  } finally {
    rmSync(bin, { recursive: true, force: true });
  }
}

/** What bash says on stderr when it reads the script once more, as by a second look at ~/.bashrc. */
function readTwice(script: string): string {
  return spawnSync('bash', ['-c', `${script}\n${script}`], { encoding: 'utf8' }).stderr;
}

describe('cli/completion', () => {
  it('offers commands, subcommands and options in bash', async () => {
    const { code, stdout } = await runCli(['completion', 'bash']);
    expect(code).toBe(0);
    expect(offered(stdout, 'docmirror sn').map((word) => word.trim())).toContain('snapshots');
    expect(offered(stdout, 'docmirror restore pl').map((word) => word.trim())).toContain('plan');
    expect(offered(stdout, 'docmirror sync --fu').map((word) => word.trim())).toContain('--full');
  });

  it('needs nothing beside bash, and may be read twice: it asked for a package, and told six errors', async () => {
    const { stdout } = await runCli(['completion', 'bash']);
    expect(readTwice(stdout)).toBe('');
    expect(offered(stdout, 'docmirror restore pl')).toEqual(['plan']);
    expect(offered(stdout, 'docmirror query --recipe sta')).toEqual(['stale-pages']);
  });

  it('runs nothing of a line that nobody has sent yet', async () => {
    const { stdout } = await runCli(['completion', 'bash']);
    using folder = testFolder();
    const made = folder.at('made');
    // As of the package bash-completion, by which the line once came to be run.
    const beside = `_get_comp_words_by_ref() { cur=--re; words=("\${COMP_WORDS[@]}"); }`;
    offered(`${stdout}\n${beside}`, `docmirror query "$(touch ${made})" --re`);
    expect(existsSync(made)).toBe(false);
  });

  it.each(['zsh', 'fish', 'powershell'])('prints a script for %s', async (shell) => {
    const { code, stdout } = await runCli(['completion', shell]);
    expect([code, stdout.includes('docmirror')]).toEqual([0, true]);
  });

  it('refuses a shell that it does not know, with those it knows', async () => {
    const { code, stderr } = await runCli(['completion', 'tcsh']);
    expect([code, /zsh/.test(stderr)]).toEqual([2, true]);
  });

  it('offers no restore that a drill has rehearsed, whose target is gone', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    await runCli(['sync'], { env });
    await runCli(['drill'], { env });
    expect((await runCli(['complete', '--', 'restore', 'verify', ''], { env })).stdout).not.toMatch(/snapshot 1$/m);
    await runCli(['restore', 'plan', '--snapshot', '1', '--in-place', '--out', folder.at('p.json')], { env });
    await runCli(['restore', 'apply', folder.at('p.json')], { env });
    expect((await runCli(['complete', '--', 'restore', 'verify', ''], { env })).stdout).toMatch(/snapshot 1$/m);
    expect((await runCli(['complete', '--', 'snapshots', 'unpin', ''], { env })).stdout).toMatch(/^1\b/m);
  });

  it('offers what an option may name, of the mirror that the line names: after --seed, --in-place, --kind and --space there was nothing', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const [organizationId = ''] = platform.organizations();
    await using editor = editorOf(platform);
    await editor.api.updateOrganization({ path: { organizationId }, body: { title: 'Two\nlines' } });
    await runCli(['sync'], { env: environmentOf(platform, folder.at('data')) });
    const after = async (...line: string[]): Promise<string[]> => {
      const { stdout } = await runCli(['complete', '--', ...line, '']);
      return stdout
        .split('\n')
        .filter((one) => !one.startsWith(':') && one !== '')
        .map((one) => one.trim());
    };
    expect(await after('platform', '--seed')).toEqual(['demo', 'empty', 'scale']);
    expect(await after('restore', 'plan', '--in-place')).toEqual(['missing', 'changed', 'new']);
    expect(await after('diff', '--kind')).toContain('change-request');
    expect(await after('status', '--log-level')).toContain('debug');
    expect(await after('sync', '--data-dir', folder.at('data'), '--space')).toEqual([
      expect.stringMatching(/^\w+\tSpace 1$/),
      expect.stringMatching(/^\w+\tSpace 2$/),
    ]);
    // One that stands on two lines would be offered as two.
    expect(await after('sync', `--data-dir=${folder.at('data')}`, '--organization')).toHaveLength(1);
    expect(await after('sync', '--data-dir', folder.at('none'), '--space')).toEqual([]);
  });

  it('offers the names of the platforms in the settings', async () => {
    using folder = testFolder();
    const entry = (name: string): string =>
      `  - name: ${name}\n    platform: { baseUrl: http://127.0.0.1:9, token: x }\n`;
    writeFileSync(folder.at('c.yaml'), `platforms:\n${entry('docs')}${entry('handbook')}`);
    const { stdout } = await runCli(['complete', '--', 'sync', '--config', folder.at('c.yaml'), '--platform', '']);
    expect(stdout).toMatch(/^docs\t\nhandbook\t\n/);
  });

  it('offers the snapshots and reports that there are', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    await runCli(['sync'], { env });
    const at = await runCli(['complete', '--', 'query', '--at', ''], { env });
    expect(at.stdout).toMatch(/^1\tcomplete/m);
    const recipe = await runCli(['complete', '--', 'query', '--recipe', 'sta'], { env });
    expect(recipe.stdout).toMatch(/^stale-pages/m);
    const none = await runCli(['complete', '--', 'query', '--at', ''], {
      env: { DOCMIRROR_DATA_DIR: folder.at('none') },
    });
    expect([none.code, none.stderr]).toEqual([0, '']);
  });
});
