import { Command, type CommanderError, type Help, type Option } from 'commander';
import about from '../../package.json' with { type: 'json' };
import { writeStdout } from '../base/index.ts';
import { COMMANDS, type CommandName } from '../config/index.ts';
import { givenTwice, type Run } from './command.ts';
import { helpDocument } from './help-document.ts';

type Make = (run: Run) => Command;

// Loaded when they are named: what a command stands on takes longer to load than most of them take to run.
const LOADERS: Readonly<Record<CommandName, () => Promise<Make>>> = {
  start: async () => (await import('./commands/start.ts')).startCommand,
  sync: async () => (await import('./commands/sync.ts')).syncCommand,
  daemon: async () => (await import('./commands/daemon.ts')).daemonCommand,
  serve: async () => (await import('./commands/daemon.ts')).serveCommand,
  status: async () => (await import('./commands/status.ts')).statusCommand,
  probe: async () => (await import('./commands/probe.ts')).probeCommand,
  snapshots: async () => (await import('./commands/snapshots.ts')).snapshotsCommand,
  diff: async () => (await import('./commands/diff.ts')).diffCommand,
  query: async () => (await import('./commands/query.ts')).queryCommand,
  report: async () => (await import('./commands/report.ts')).reportCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  check: async () => (await import('./commands/check.ts')).checkCommand,
  restore: async () => (await import('./commands/restore.ts')).restoreCommand,
  drill: async () => (await import('./commands/drill.ts')).drillCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  forget: async () => (await import('./commands/forget.ts')).forgetCommand,
  prune: async () => (await import('./commands/forget.ts')).pruneCommand,
  init: async () => (await import('./commands/init.ts')).initCommand,
  platform: async () => (await import('./commands/platform.ts')).platformCommand,
};

// The command that the completion library adds.
const COMPLETION_SUMMARY = 'Print a script that completes command lines: bash, zsh, fish or powershell.';

/** `completion SHELL` prints the script that people load, `complete` is what that script calls. */
const COMPLETION: ReadonlySet<string> = new Set(['completion', 'complete']);

/**
 * The command line: commands that `argv` names are whole, of the others there is the name and the summary; all are whole
 * without `argv`. Parsing throws CommanderError for wrong use; what a command throws passes through.
 */
export async function createProgram(run: Run, argv?: readonly string[]): Promise<Command> {
  const program = new Command('docmirror')
    .description('Mirrors a documentation platform through its API, keeps every version, and can put it back.')
    .version(versionText(run), '--version', 'print the version')
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .helpCommand('help [command...]', 'Explain a command.')
    .showHelpAfterError(false);
  const completes = COMPLETION.has(argv?.[0] ?? 'completion');
  for (const [name, summary] of Object.entries(COMMANDS) as [CommandName, string][]) {
    const isNamed = completes || argv?.includes(name) === true;
    const command = isNamed ? (await LOADERS[name]())(run) : new Command(name);
    program.addCommand(command.description(summary));
  }
  if (completes) await (await import('./completion.ts')).addCompletion(program, COMPLETION_SUMMARY);
  else program.addCommand(new Command('completion').description(COMPLETION_SUMMARY));
  settle(run, program);
  return program;
}

function versionText({ json }: Run): string {
  return json ? JSON.stringify({ version: about.version }) : about.version;
}

function failureOf(writing: Promise<void>): Promise<unknown> {
  return writing.then(
    () => null,
    (error: unknown) => error,
  );
}

/** Errors and words of the library itself are handled alike for every command, at any depth. */
function settle(run: Run, command: Command, above = ''): void {
  const named = `${above}${command.name()}`;
  const writeOut = (text: string): void => {
    run.printed = run.printed.then((failed) => failed ?? failureOf(writeStdout(text)));
  };
  const onWrong = (error: CommanderError): never => {
    run.wrong = named;
    throw error;
  };
  command.exitOverride(onWrong).configureOutput({ outputError: () => undefined, writeOut });
  if (run.json) helpAsJson(command);
  for (const option of command.options.filter(takesOne)) refuseSecond(command, option);
  for (const child of command.commands) settle(run, child, `${named} `);
}

/** Where no command was given, the error alone tells it, without the help that else goes to stderr. */
function helpAsJson(command: Command): void {
  const formatHelp: Help['formatHelp'] = (one, helper) => `${JSON.stringify(helpDocument(one, helper))}\n`;
  command.configureOutput({ writeErr: () => undefined });
  command.configureHelp({ ...command.configureHelp(), formatHelp });
}

/** One that is given several values, or joins them, says so itself. */
function takesOne({ required, optional, variadic, parseArg }: Option): boolean {
  return (required || optional) && !variadic && parseArg === undefined;
}

/** The last of two would silently be all that counts. */
function refuseSecond(command: Command, option: Option): void {
  const given: (string | null)[] = [];
  command.on(`option:${option.name()}`, (value: string | null) => {
    given.push(value);
    if (given.length > 1) throw givenTwice(`--${option.name()}`, given);
  });
}
