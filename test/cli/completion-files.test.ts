// Names of files where nothing of ours is offered: a shell that read our script completed none of them any more.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { shellWord } from '../../src/base/index.ts';
import { MAIN, runCli, testFolder } from '../support/cli.ts';

const LONGEST_MS = 60_000;

/** What `docmirror complete` says last: 4 forbids the shell to complete names of files, 0 does not. */
async function directive(words: readonly string[]): Promise<string> {
  const { stdout } = await runCli(['complete', '--', ...words]);
  return stdout.trimEnd().split('\n').at(-1) ?? '';
}

function has(shell: string): boolean {
  return spawnSync(shell, ['-c', 'true']).status === 0;
}

interface Shell extends Disposable {
  /** Runs a program of the shell in a folder with `restore.json` and `other.yaml`, with the script of `docmirror completion` beside. */
  readonly run: (program: string) => string;
}

async function shell(name: 'zsh' | 'fish'): Promise<Shell> {
  const folder = testFolder();
  for (const part of ['bin', 'work']) mkdirSync(folder.at(part));
  writeFileSync(folder.at('bin/docmirror'), `#!/bin/sh\nexec node ${shellWord(MAIN)} "$@"\n`, { mode: 0o755 });
  symlinkSync(process.execPath, folder.at('bin/node'));
  for (const file of ['restore.json', 'other.yaml']) writeFileSync(folder.at(`work/${file}`), '');
  writeFileSync(folder.at('script'), (await runCli(['completion', name])).stdout);
  const env = { PATH: `${folder.at('bin')}:${process.env['PATH'] ?? ''}`, HOME: folder.at('work'), TERM: 'dumb' };
  return {
    run: (program) =>
      execFileSync(name, ['-c', program], { env, cwd: folder.at('work'), encoding: 'utf8', timeout: LONGEST_MS }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** What fish offers for a line. */
function offeredByFish({ run }: Shell, line: string): string[] {
  return run(`source ../script; complete -C ${shellWord(line)}`)
    .split('\n')
    .filter((offered) => offered !== '');
}

// A zsh that somebody types into: after the tab, one more key says what the line has become.
function typedIntoZsh({ run }: Shell, line: string): string {
  const prepared =
    'PS1=; autoload -U compinit; compinit -u -D; source ../script; bindkey "^I" complete-word; ' +
    'tell() { print -r -- "<$BUFFER>" }; zle -N tell; bindkey "^X" tell; print READ""Y';
  const said = run(`zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell ${shellWord(prepared)}
    zpty -r shell said '*READY*'
    zpty -w -n shell ${shellWord(line)}$'\\t'$'\\x18'
    zpty -r shell said '*<docmirror*>*'
    zpty -d shell
    print -r -- $said`);
  return /<(docmirror[^>]*)>/.exec(said)?.[1]?.trimEnd() ?? said;
}

const FILES = ['restore apply r', 'restore plan --out r', 'export --to r', 'sync --config r', 'init r', '--data-dir r'];
const OURS = ['restore pl', 'sync --fu', 'query --recipe nonsense', 'completion z'];

describe('cli/completion of names of files', () => {
  it.each(FILES)('is left to the shell: docmirror %s', async (line) => {
    expect(await directive(line.split(' '))).toBe(':0');
  });

  it.each(OURS)('is no help where we know what may stand there: docmirror %s', async (line) => {
    expect(await directive(line.split(' '))).toBe(':4');
  });

  it.runIf(has('fish'))('goes on in fish', async () => {
    using fish = await shell('fish');
    expect(offeredByFish(fish, 'docmirror restore apply r')).toEqual(['restore.json']);
    expect(offeredByFish(fish, 'docmirror sync --config=r')).toEqual(['--config=restore.json']);
    expect(offeredByFish(fish, 'docmirror restore pl')).toEqual([expect.stringMatching(/^plan\t/)]);
  });

  it.runIf(has('zsh'))('goes on in zsh', async () => {
    using zsh = await shell('zsh');
    for (const line of ['docmirror restore apply r', 'docmirror sync --config=r'])
      expect(typedIntoZsh(zsh, line)).toBe(`${line}estore.json`);
    expect(typedIntoZsh(zsh, 'docmirror restore pl')).toBe('docmirror restore plan');
  });
});
