// Command lines as nobody should type them, made from what the program itself says of its commands.
import { isAbsolute } from 'node:path';
import type { Command, Option } from 'commander';
import fc from 'fast-check';
import { createRun } from '../../src/cli/command.ts';
import { createProgram } from '../../src/cli/program.ts';
import { hostileText } from './hostile-values.ts';

export interface CommandLineEnd {
  readonly argv: readonly string[];
  /** Null when it did not end. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Every command that does something, at any depth. */
export async function allCommands(): Promise<Command[]> {
  const program = await createProgram(createRun(new AbortController().signal, []));
  const below = (command: Command): Command[] => command.commands.flatMap((child) => [child, ...below(child)]);
  return below(program);
}

export function wordsOf(command: Command): string[] {
  return command.parent === null ? [] : [...wordsOf(command.parent), command.name()];
}

const NEAR_RIGHT: readonly string[] = [
  ['1', '0', '-1', '2', '99999999999', '1e9', '0x1', ' 1', 'latest', '2025-01-01', '2025-99-99', 'yesterday'],
  [
    'select 1',
    'select * from pages',
    'drop table pages',
    'attach "x" as y',
    'select',
    ';',
    "select '",
    'pragma user_version',
  ],
  ['space:x', 'organization:', 'kind:page', 'kind:__proto__', 'page:..', 'missing', 'changed,missing', 'stale-pages'],
  ['data', 'plan.json', 'missing.json', 'config.yaml', '.', 'data/mirror.db', 'bash', 'demo', 'empty', 'info', 'debug'],
  ['http://127.0.0.1:9', 'http://', 'not an address', '127.0.0.1', '256.256.256.256', '::', '--', '-', '--json', '10s'],
].flat();

// What is written must stay below the folder that the commands run in: only as deep up as that one is deep down.
const isConfined = (text: string): boolean =>
  !isAbsolute(text) && (text.match(/\.\./g) ?? []).length <= 4 && !text.includes('\0');

const value = fc.oneof(fc.constantFrom(...NEAR_RIGHT), hostileText.filter(isConfined));

/** A command line of one command: options that it has and some that it has not, with too few, enough or too many arguments. */
export function commandLine(command: Command): fc.Arbitrary<string[]> {
  const options = fc.subarray([...command.options]).chain((some) => fc.tuple(...some.map(given)));
  const wanted = command.registeredArguments.length;
  const positional = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(...command.registeredArguments.map(() => value)) },
    { weight: 1, arbitrary: fc.array(value, { maxLength: wanted + 1 }) },
  );
  const stray = fc.oneof(
    { weight: 6, arbitrary: fc.constant<string[]>([]) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom('--nonsense', '-x', '--json=1', '--no-json', '--help')) },
  );
  return fc
    .tuple(options, positional, stray)
    .map(([flags, words, more]) => [...wordsOf(command), ...flags.flat(), ...words, ...more]);
}

function given({ long, short, required, optional }: Option): fc.Arbitrary<readonly string[]> {
  const name = long ?? short ?? '';
  if (required) return value.map((text) => [name, text]);
  return optional
    ? fc.oneof<fc.Arbitrary<readonly string[]>[]>(
        fc.constant([name]),
        value.map((text) => [name, text]),
      )
    : fc.constant([name]);
}
