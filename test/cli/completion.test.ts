import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environmentOf, runCli, testFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

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
      COMP_LINE=${JSON.stringify(line)}; COMP_POINT=\${#COMP_LINE}
      COMP_WORDS=(${words.map((word) => JSON.stringify(word)).join(' ')}); COMP_CWORD=${words.length - 1}
      _get_comp_words_by_ref() { cur=\${COMP_WORDS[COMP_CWORD]}; prev=\${COMP_WORDS[COMP_CWORD-1]}; words=("\${COMP_WORDS[@]}"); cword=$COMP_CWORD; }
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

describe('cli/completion', () => {
  it('offers commands, subcommands and options in bash', async () => {
    const { code, stdout } = await runCli(['completion', 'bash']);
    expect(code).toBe(0);
    expect(offered(stdout, 'docmirror sn').map((word) => word.trim())).toContain('snapshots');
    expect(offered(stdout, 'docmirror restore pl').map((word) => word.trim())).toContain('plan');
    expect(offered(stdout, 'docmirror sync --fu').map((word) => word.trim())).toContain('--full');
  });

  it.each(['zsh', 'fish', 'powershell'])('prints a script for %s', async (shell) => {
    const { code, stdout } = await runCli(['completion', shell]);
    expect([code, stdout.includes('docmirror')]).toEqual([0, true]);
  });

  it('refuses a shell that it does not know, with those it knows', async () => {
    const { code, stderr } = await runCli(['completion', 'tcsh']);
    expect([code, /zsh/.test(stderr)]).toEqual([2, true]);
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
