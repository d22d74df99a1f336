// Every command explains itself, with examples that can be copied.
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createRun } from '../../src/cli/command.ts';
import { createProgram } from '../../src/cli/program.ts';
import { runCli } from '../support/cli.ts';

const program = await createProgram(createRun(new AbortController().signal, []));

function within(command: Command): Command[] {
  return [command, ...command.commands.flatMap(within)];
}

function nameOf(command: Command): string {
  const parent = command.parent;
  return parent && parent !== program ? `${nameOf(parent)} ${command.name()}` : command.name();
}

const commands = program.commands.flatMap(within).filter((command) => command.name() !== 'complete');

/** The words of an example as a shell would split them; what goes to a file or through a pipe is not the command's. */
function wordsOf(line: string): string[] {
  const [own = ''] = line.replace(/^\s*\$ (?:source <\()?docmirror /, '').split(/ [>|] |\)$/);
  return [...own.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}

function examplesOf(command: Command): string[] {
  const lines: string[] = [];
  command.configureOutput({ writeOut: (text) => lines.push(text) });
  command.outputHelp();
  return lines
    .join('')
    .split('\n')
    .filter((line) => /^\s*\$ .*docmirror /.test(line));
}

describe('cli/help', () => {
  it.each(commands.map((command) => [nameOf(command), command] as const))(
    '%s has examples that name options it has',
    (name, command) => {
      const examples = examplesOf(command);
      expect(examples.length, name).toBeGreaterThan(0);
      for (const example of examples) {
        const words = wordsOf(example);
        const own =
          commands.find((one) => nameOf(one) === words.slice(0, 2).join(' ')) ??
          commands.find((one) => one.name() === words[0]);
        expect(own, example).toBeDefined();
        const known = new Set(own?.options.flatMap(({ long, short }) => [long, short]));
        for (const word of words.filter((one) => /^--?[a-z]/.test(one))) {
          expect([example, known.has(word.split('=')[0])]).toEqual([example, true]);
        }
      }
    },
  );

  it('takes --json before the command as well as after it', async () => {
    const before = await runCli(['--json', 'restore', 'ledger']);
    const after = await runCli(['restore', 'ledger', '--json']);
    expect([before.code, before.stdout]).toEqual([0, after.stdout]);
  });
});
