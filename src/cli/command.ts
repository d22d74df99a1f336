// What every command has in common: its settings, its wiring, its exit code.
import { Command, Help, type Option } from 'commander';
import {
  AppError,
  createLogger,
  didYouMean,
  holdHangups,
  isTerminal,
  parseDuration,
  putAsideIn,
  readEnvironment,
  systemClock,
  systemRandom,
  type Clock,
  type Environment,
  type ExitCode,
  type Hangups,
  type LogLevel,
} from '../base/index.ts';
import type { App } from '../app.ts';
import { refuseNoPath } from './path-option.ts';
import { isKindName, isPathValue, kindNames, type KindName } from '../contract/index.ts';
import { inDataDirectory, repeatedFlags, withFlags, type Config, type Repeated } from '../config/index.ts';
import { demoHint } from './demo-hint.ts';
import { belowHelp } from './help-document.ts';
import { createPatience } from './patience.ts';
import { createScreen, type Screen, type ScreenOptions } from './screen.ts';

/** One run of the program. The exit code is the one thing that a command leaves behind. */
export interface Run {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly json: boolean;
  exitCode: ExitCode;
  /** The command whose line is wrong, as it is typed; that of the whole program before one is known. */
  wrong: string;
  /** A part of the answer was written to stdout before the rest was known: no other document may follow it there. */
  begun: boolean;
  /** Help and the version on their way to stdout: why they did not get there, null when they did. */
  printed: Promise<unknown>;
  /** From here on Ctrl-C and SIGTERM end the process as they are: for work in SQLite, which no signal of ours interrupts. */
  readonly endAtOnce: () => void;
}

/** What a command works with. */
export interface CommandContext {
  readonly app: App;
  readonly screen: Screen;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Positional arguments, checked for number. */
  readonly args: readonly string[];
  /** As they were read at the start, of those that the command is about: what comes through a pipe comes once. */
  readonly configs: readonly Config[];
  /** Reads the settings anew: of the platform that is named, here or by its flag, or of every one in the list. Throws as at the start. */
  readonly readConfigs: (platform?: string) => Config[];
  /** For commands that stay up: from here on the log tells all that it is set to, and nothing else does. */
  stayUp(): void;
  /** See Run. */
  readonly endAtOnce: () => void;
}

/** A command's work; what it answers is the exit code, 0 when nothing. */
export type Work<Options> = (context: CommandContext, options: Options) => Promise<ExitCode | void>;

export interface CommandAbout {
  readonly name: string;
  /** Of one within another; those of the program have theirs beside their names. */
  readonly summary?: string;
  /** Shown below the options: command lines that can be copied. */
  readonly examples: readonly string[];
  /** Further words below the examples. */
  readonly notes?: readonly string[];
}

/** For commands that take a time for a snapshot. */
export const TIME_NOTE =
  'A time means the last snapshot begun by then. It is UTC, as all times shown here are, unless it names a zone (+02:00); a day or minute counts to its end.';

/** A command with its examples, and the options that every command has. */
export function createCommand(about: CommandAbout): Command {
  const examples = about.examples.map((line) => `  $ docmirror ${line}`).join('\n');
  const word = about.examples.length === 1 ? 'Example' : 'Examples';
  const notes = about.notes === undefined ? '' : `\n\n${about.notes.join('\n')}`;
  return new Command(about.name)
    .description(about.summary ?? '')
    .configureHelp({ optionDescription: describeOption })
    .option('--json', 'answer with one JSON document on stdout; all else goes to stderr')
    .addHelpText('after', belowHelp(`\n${word}:\n${examples}${notes}`));
}

function describeOption(option: Option): string {
  const text = new Help().optionDescription(option);
  return option.mandatory ? `${text} (required)` : text;
}

/** Options for settings, as `loadConfig` knows them. */
function addSettings(command: Command): Command {
  return command
    .option('--config <file>', 'the YAML file with the settings (DOCMIRROR_CONFIG)')
    .option('--platform <name>', 'which one of several configured platforms (DOCMIRROR_PLATFORM)')
    .option('--base-url <url>', "the platform's base address, without /v1 (DOCMIRROR_BASE_URL)")
    .option('--token-file <file>', 'the file that holds the access token (DOCMIRROR_TOKEN_FILE)')
    .option('--data-dir <dir>', 'where the mirror lives (DOCMIRROR_DATA_DIR)')
    .option('--log-level <level>', 'how much is logged on stderr (DOCMIRROR_LOG_LEVEL)');
}

/** The option that names where a restore writes. */
export function addTarget(command: Command): Command {
  return command.option('--target-url <url>', 'the platform to restore into; the configured one without');
}

/** Lets the command do its work when it is called, with the settings that every such command takes. */
export function does<Options extends object>(run: Run, command: Command, work: Work<Options>): Command {
  return calls(run, command, { work, everyPlatform: false });
}

/** The same for a command that is about every configured platform, or about none of them: its app is that of the first. */
export function doesForAll<Options extends object>(run: Run, command: Command, work: Work<Options>): Command {
  return calls(run, command, { work, everyPlatform: true });
}

/** The same for one that stays up and does something on SIGHUP: from the first moment on, none ends it. */
export function doesForAllUntilStopped(
  run: Run,
  command: Command,
  work: (context: CommandContext, hangups: Hangups) => Promise<void>,
): Command {
  const act = actionOf(run, command);
  return addSettings(command).action(async () => {
    using hangups = holdHangups();
    await act({ work: (context) => work(context, hangups), everyPlatform: true });
  });
}

type About<Options> = Omit<Performance<Options>, 'command' | 'options'>;

function calls<Options extends object>(run: Run, command: Command, about: About<Options>): Command {
  const act = actionOf<Options>(run, command);
  return addSettings(command).action(() => act(about));
}

function actionOf<Options extends object>(run: Run, command: Command): (about: About<Options>) => Promise<void> {
  const places = command.options.filter(({ flags }) => /<(file|dir)>$/.test(flags));
  return async (about) => {
    const options = command.optsWithGlobals<Options>();
    for (const place of places) refuseNoPath(place, command.getOptionValue(place.attributeName()));
    run.exitCode = (await perform(run, { command, options, ...about })) ?? 0;
  };
}

interface Performance<Options> {
  readonly command: Command;
  readonly options: Options;
  readonly work: Work<Options>;
  readonly everyPlatform: boolean;
}

async function perform<Options extends object>(
  run: Run,
  { command, options, work, everyPlatform }: Performance<Options>,
): Promise<ExitCode | void> {
  // Loaded here, so that help and the refusal of a wrong command line come at once.
  const [{ createApp }, { loadConfig, loadConfigs }] = await Promise.all([
    import('../app.ts'),
    import('../config/index.ts'),
  ]);
  const environment = readEnvironment();
  const sources = { flags: flagsOf(options), environment, cwd: process.cwd() };
  const readConfigs = (platform?: string): Config[] =>
    loadConfigs(platform === undefined ? sources : { ...sources, flags: { ...sources.flags, platform } });
  const configs = everyPlatform ? readConfigs() : [loadConfig(sources)];
  const config = configs[0] ?? loadConfig(sources);
  const repeated: Repeated = everyPlatform ? { ...config, flags: repeatedFlags(sources.flags, null) } : config;
  putAsideIn(config.dataDir);
  const { clock, signal } = run;
  const screen = createScreen({ ...streamingOf(run), json: run.json, environment, clock, settings: repeated });
  for (const note of config.notes) await screen.note(note);
  const log = createLogger({ level: quiet(config.log.level), pretty: isTerminal('stderr') });
  using patience = createPatience({ clock, tell: (text) => screen.note(text) });
  const stayUp = (): void => {
    log.level = config.log.level;
    patience[Symbol.dispose]();
  };
  await using app = createApp(config, { clock, random: systemRandom(), log, watch: patience });
  try {
    const { args } = command;
    const { endAtOnce } = run;
    const context = { app, screen, environment, signal, args, configs, readConfigs, stayUp, endAtOnce };
    return await inDataDirectory(config, () => work(context, options));
  } catch (error) {
    throw withFlags(demoHint(error, app), repeated);
  }
}

/** How a screen of this run writes what is large. */
export function streamingOf(run: Run): Pick<ScreenOptions, 'onPart'> {
  return { onPart: () => void (run.begun = true) };
}

/** What a command does while somebody waits is told by the command itself; its log is for what is unusual. */
function quiet(level: LogLevel): LogLevel {
  return level === 'info' ? 'warn' : level;
}

function flagsOf(options: object): Record<string, string | undefined> {
  const texts = Object.entries(options).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(texts);
}

/** For an option that takes one value; null is an option without its value. */
export function givenTwice(
  flag: string,
  values: readonly (string | null)[],
  hint = 'Leave one of them out, or run the command once for each.',
): AppError {
  const seen = values.map((value) => (value === null ? 'without a value' : JSON.stringify(value))).join(' and ');
  return new AppError('DM_USAGE', `${flag} is given twice: ${seen}; expected once`, { hint });
}

/** A number given on the command line, `least` or more. Throws DM_USAGE. */
export function wholeNumber(name: string, text: string, least: 0 | 1 = 0): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
  const what = `a whole number${least > 0 ? ' above 0' : ''}`;
  throw new AppError('DM_USAGE', `${name} is ${JSON.stringify(text)}; expected ${what}`, {
    hint: 'Correct it and run the command again.',
  });
}

/** An id given on the command line, which can be asked for. Throws DM_USAGE. */
export function resourceId(name: string, text: string): string {
  if (isPathValue(text)) return text;
  throw new AppError('DM_USAGE', `${name} is ${JSON.stringify(text)}; expected an id`, {
    hint: 'Find ids with `docmirror query "select id, title from spaces"`; a variable of the shell that is not set gives an empty one.',
  });
}

/** A kind given by `--kind`. Throws DM_USAGE. */
export function kindNamed(name: string): KindName {
  if (isKindName(name)) return name;
  const known = `${kindNames.join(', ')}${didYouMean(name, kindNames)}`;
  throw new AppError('DM_USAGE', `--kind is ${JSON.stringify(name)}; expected one of ${known}`, {
    hint: 'Correct it and run the command again.',
  });
}

/** A number above 0 given on the command line. Throws DM_USAGE. */
export function positiveNumber(name: string, text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0) return value;
  throw new AppError('DM_USAGE', `${name} is ${JSON.stringify(text)}; expected a number above 0`, {
    hint: 'Correct it and run the command again.',
  });
}

/** Milliseconds of a time given on the command line, `least` of them or more; a number alone could mean anything. Throws DM_USAGE. */
export function timeSpan(name: string, text: string, least: 0 | 1 = 0): number {
  const ms = /[a-z]/.test(text) ? parseDuration(text) : null;
  if (ms !== null && ms >= least) return ms;
  throw new AppError(
    'DM_USAGE',
    `${name} is ${JSON.stringify(text)}; expected a time with its unit${least > 0 ? ', above 0,' : ','} such as 90s or 2h`,
    {
      hint: 'Give a unit: 5s, 5m, 2h or 6d.',
    },
  );
}

/** A run of the real program. */
export function createRun(signal: AbortSignal, argv: readonly string[], endAtOnce = (): void => undefined): Run {
  return {
    signal,
    clock: systemClock(),
    json: argv.includes('--json'),
    exitCode: 0,
    wrong: 'docmirror',
    begun: false,
    printed: Promise.resolve(null),
    endAtOnce,
  };
}
