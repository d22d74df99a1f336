// The command lines that pages and whole examples show, read by the parser that reads those of people. None is run.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Command } from 'commander';
import { createRun } from '../src/cli/command.ts';
import { createProgram } from '../src/cli/program.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const pages = ['README.md', ...readdirSync(new URL('../docs', import.meta.url)).map((name) => `docs/${name}`)];
const examples = [
  'config/prometheus-alerts.yaml',
  'config/docmirror.service',
  'config/kubernetes.yaml',
  'config/compose.yaml',
];

/** Code in its own block, and code within a sentence, each as the lines that somebody would copy. */
function codeIn(markdown: string): string[] {
  const blocks = [...markdown.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) => block.split('\n'));
  const spans = [...markdown.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, span = '']) => span,
  );
  return [...blocks, ...spans].flatMap((line) => line.split(' && ')).map((line) => line.replace(/ +#.*$/, '').trim());
}

/** What a shell makes of a line, up to where its output goes. */
function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
  const end = words.findIndex((word) => word === '>');
  return words.slice(0, end === -1 ? undefined : end);
}

const COMMAND = /^(?:npx |docker exec docmirror |run: )?docmirror ([a-z].*)$|main\.js ([a-z].*)$/;

/** The words after the name of the program, of each line that calls it; not of one that leaves something out. */
function callsIn(lines: readonly string[]): string[] {
  const calls = lines.flatMap((line) => {
    const [, named, file] = COMMAND.exec(line.trim()) ?? [];
    return named ?? file ?? [];
  });
  return [...new Set(calls)].filter((call) => !call.endsWith(' …'));
}

function doNothing(commands: readonly Command[]): void {
  for (const command of commands) {
    command.action(() => undefined);
    doNothing(command.commands);
  }
}

async function refusalOf(call: string): Promise<string | null> {
  const program = await createProgram(createRun(new AbortController().signal, []));
  doNothing(program.commands);
  return program.parseAsync(wordsOf(call), { from: 'user' }).then(
    () => null,
    (error: Error) => error.message,
  );
}

describe('commands that are shown', () => {
  const shown = [...pages.flatMap((page) => codeIn(read(page))), ...examples.flatMap((path) => read(path).split('\n'))];

  it('are found', () => {
    expect(callsIn(shown).length).toBeGreaterThan(60);
  });

  it.each(callsIn(shown))('can be given as they stand: docmirror %s', async (call) => {
    expect(await refusalOf(call)).toBeNull();
  });
});
