import { CommanderError, type Command } from 'commander';
import {
  AppError,
  exitNow,
  interruptSignal,
  isTerminal,
  watchingStdout,
  readEnvironment,
  type ExitCode,
} from '../base/index.ts';
import { createRun, type Run } from './command.ts';
import { flagIn } from './flag-in.ts';
import { createProgram } from './program.ts';
import { showError, usageError } from './show-error.ts';
import { createStyle, isColoured } from './views/style.ts';

// A person who pressed Ctrl-C is promised an end within five seconds.
const SHUTDOWN_MS = 4500;

/** Runs one command line, without the program's own name. Prints errors itself; answers the exit code. */
export async function run(argv: readonly string[]): Promise<ExitCode> {
  using interrupt = interruptSignal();
  const current = createRun(interrupt.signal, argv, () => interrupt.dispose());
  using _watchdog = watch(current);
  try {
    const program = await createProgram(current, argv);
    await watchingStdout(() =>
      program.parseAsync(withoutVainHelp(program, helpFirst(program, commandFirst(argv))), { from: 'user' }),
    );
    return current.exitCode;
  } catch (error) {
    return await fail(current, argv, error);
  }
}

/** `--json` may stand before the command too: it means the same there. */
function commandFirst(argv: readonly string[]): string[] {
  const at = argv.findIndex((word) => word !== '--json');
  const ordered = at <= 0 ? [...argv] : [...argv.slice(at), ...argv.slice(0, 1)];
  return ordered[0] === 'query' ? ordered.map(notAnOption) : ordered;
}

/** SQL may begin with a comment, which looks like an option: below an empty line it is the same, and looks like none. */
function notAnOption(word: string): string {
  return /^--\s/.test(word) ? `\n${word}` : word;
}

/** Below a group of commands `help` asks for the same as before it. */
function helpFirst(program: Command, argv: readonly string[]): readonly string[] {
  const [group, ...words] = argv;
  const [word, ...rest] = words.filter((one) => one !== '--json');
  const isGroup = program.commands.some((one) => one.name() === group && one.commands.length > 0);
  return isGroup && word === 'help' ? ['help', group ?? '', ...rest] : argv;
}

/** Help on a command that is not there is no help: without the wish for it the library refuses the name, and says which one was meant. */
function withoutVainHelp(program: Command, argv: readonly string[]): readonly string[] {
  const [first, ...rest] = argv[0] === 'help' ? argv.slice(1) : argv;
  if (first === 'help') return ['help'];
  const asks = argv[0] === 'help' || argv.includes('--help') || argv.includes('-h');
  if (!asks || first === undefined || first.startsWith('-')) return argv;
  const [second] = rest;
  const command = program.commands.find((one) => one.name() === first);
  const isWithin = command === undefined || second === undefined || second.startsWith('-') || isIn(command, second);
  // The library's own `help` looks no deeper than the first word.
  if (argv[0] === 'help' && command?.commands.some((one) => one.name() === second)) return [first, ...rest, '--help'];
  if (command !== undefined && isWithin) return argv;
  return [first, ...rest].filter((word) => word !== '--help' && word !== '-h');
}

function isIn({ commands }: Command, name: string): boolean {
  return commands.length === 0 || ['help', ...commands.map((one) => one.name())].includes(name);
}

async function fail(current: Run, argv: readonly string[], error: unknown): Promise<ExitCode> {
  const seen = (error instanceof CommanderError ? usageError(error, current) : error) ?? (await current.printed);
  if (seen === null) return 0;
  const style = createStyle(isColoured(isTerminal('stderr'), readEnvironment()));
  const { json, begun } = current;
  return showError(atInterrupt(current, seen), { json, begun, stacks: wantsStacks(argv), style });
}

/** What breaks because everything was told to stop is no error of its own. */
function atInterrupt(current: Run, error: unknown): unknown {
  const isOwn = error instanceof AppError && error.code !== 'DM_INTERNAL';
  return current.signal.aborted && !isOwn ? current.signal.reason : error;
}

function wantsStacks(argv: readonly string[]): boolean {
  const level = flagIn(argv, '--log-level') ?? readEnvironment()['DOCMIRROR_LOG_LEVEL'];
  return level === 'debug' || level === 'trace';
}

function watch({ signal, clock }: Run): Disposable {
  let timer: Disposable | null = null;
  const onAbort = (): void => {
    timer = clock.after(SHUTDOWN_MS, () => exitNow(130));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return {
    [Symbol.dispose]: () => {
      signal.removeEventListener('abort', onAbort);
      timer?.[Symbol.dispose]();
    },
  };
}
