import { existsSync } from 'node:fs';
import { access, constants, mkdir, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import {
  AppError,
  codeOf,
  createLogger,
  createPrompt,
  isTerminal,
  nearestFolder,
  readEnvironment,
  shellWord,
  systemRandom,
  toAppError,
  writeFileAtomic,
  type Environment,
  type ExitCode,
} from '../../base/index.ts';
import { loadConfig, readTextFile, settingsTable, type Config } from '../../config/index.ts';
import { createCommand, streamingOf, type Run } from '../command.ts';
import { configurationText, type Answers } from '../configuration-text.ts';
import { answersOf, type GivenAnswers, type TypedSecret } from '../init-answers.ts';
import { createScreen } from '../screen.ts';
import { doctorView } from '../views/doctor.ts';

interface Options extends GivenAnswers {
  yes?: boolean;
}

const FILE = 'config/docmirror.yaml';

export function initCommand(run: Run): Command {
  const command = createCommand({
    name: 'init',
    examples: [
      'init',
      'init --yes --base-url https://api.docs.example --token-file token.txt --data-dir /data docmirror.yaml',
    ],
    notes: [
      'The token and the address that is told go into files of their own that only you can read, never into the configuration.',
      'A path is written in full: a service that is started in another folder finds the same token and the same mirror.',
      'No flag takes a secret: with --yes, set DOCMIRROR_NOTIFY_WEBHOOK where Docmirror runs to be told when a night went wrong.',
      'An answer that cannot be used is asked for again; nothing is written before all are right.',
      'The configuration is tried at once, as docmirror doctor does. Exit code 1: something in it would stop a walk.',
    ],
  })
    .argument('[file]', 'the file to write', FILE)
    .option('--base-url <url>', "the platform's base address, without /v1")
    .option('--token-file <file>', 'the file that holds the access token')
    .option('--data-dir <dir>', 'where the mirror lives')
    .option('--sync-at <cron>', 'when to walk, as five cron fields')
    .option('--drill-at <cron>', 'when to drill a restore')
    .option('--timezone <zone>', 'in which both are meant, such as Europe/Berlin')
    .option('--force', 'replace a file that is there')
    .option('--yes', 'ask nothing: take the options, and what is offered for the rest');
  return command.action(async () => {
    run.exitCode = await initialise(run, command.args[0] ?? FILE, command.optsWithGlobals<Options>());
  });
}

async function initialise(run: Run, name: string, options: Options): Promise<ExitCode> {
  const file = resolve(name);
  await checkPlace(name, file, options);
  using prompt = options.yes === true ? null : createPrompt(run.signal);
  const { answers, secrets } = await answersOf({ prompt, given: options, file });
  const text = configurationText(answers);
  const config = configOf({ file, text }, secrets);
  await writing(name, async () => {
    await mkdir(dirname(file), { recursive: true });
    await writeAll([...secrets.map((secret) => ({ file: secret.file, text: `${secret.text}\n` })), { file, text }]);
  });
  const before = outweighing(answers, readEnvironment());
  return await tryOut(run, config, { file, name, before });
}

/** All or none of those that are new: a secret without its configuration would be in the way of the same command. */
async function writeAll(files: readonly { readonly file: string; readonly text: string }[]): Promise<void> {
  const made = files.map(({ file }) => file).filter((file) => !existsSync(file));
  try {
    for (const { file, text } of files) await writeFileAtomic(file, text);
  } catch (error) {
    for (const file of made) await rm(file, { force: true });
    throw error;
  }
}

/** Variables that are set, and go before what was answered: it is their values that are tried, wherever they are set. */
function outweighing(answers: Answers, environment: Environment): string[] {
  const isAnswered = (key: string): boolean => answers.has(key) || answers.has(`${key}File`);
  return settingsTable().flatMap(({ key, environment: variable }) => {
    const value = variable === '' ? undefined : environment[variable];
    if (!value || !isAnswered(key)) return [];
    return [value, resolve(value)].some((same) => same === answers.get(key)) ? [] : [variable];
  });
}

/** Throws DM_USAGE for a file that cannot be written, before anything is asked. */
async function checkPlace(name: string, file: string, { force }: Options): Promise<void> {
  if (existsSync(file) && force !== true) {
    throw new AppError('DM_USAGE', `${name} is there already`, {
      hint: 'Add --force to replace it, or name another file.',
    });
  }
  await writing(name, async () => {
    await access(nearestFolder(dirname(file)), constants.W_OK | constants.X_OK);
    if (existsSync(file) && (await stat(file)).isDirectory()) throw cannotWrite(name, 'it is a folder');
  });
}

const REFUSALS = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST', 'EISDIR']);

async function writing(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const code = codeOf(error);
    throw code !== null && REFUSALS.has(code) ? cannotWrite(name, code, error) : error;
  }
}

function cannotWrite(name: string, why: string, cause?: unknown): AppError {
  return new AppError('DM_USAGE', `The configuration file ${name} cannot be written: ${why}`, {
    hint: `Give this user write permission in ${dirname(resolve(name))}, or name another file: docmirror init FILE.`,
    cause,
  });
}

/** What is about to be written, read as every command will read it. Throws what is wrong with it as a whole. */
function configOf(own: { file: string; text: string }, secrets: readonly TypedSecret[]): Config {
  const texts = new Map([own, ...secrets].map((one) => [one.file, one.text]));
  const readFile = (path: string): string | null => texts.get(path) ?? readTextFile(path);
  const flags = { config: own.file };
  try {
    return loadConfig({ flags, environment: readEnvironment(), cwd: process.cwd(), readFile });
  } catch (error) {
    const { code, message, hint } = toAppError(error);
    throw new AppError(code, message, { hint: `${hint} Nothing was written.`, cause: error });
  }
}

interface Written {
  readonly file: string;
  readonly name: string;
  readonly before: readonly string[];
}

/** True for the file that every command reads without being told: for another one, each that is named has it as it was typed. */
function isFoundByItself(file: string): boolean {
  return file === resolve(FILE) && !readEnvironment()['DOCMIRROR_CONFIG'];
}

/** What was written is tried against the platform. */
async function tryOut(run: Run, config: Config, { file, name, before }: Written): Promise<ExitCode> {
  const { createApp } = await import('../../app.ts');
  const log = createLogger({ level: 'warn', pretty: isTerminal('stderr') });
  await using app = createApp(config, { clock: run.clock, random: systemRandom(), log });
  const found = await app.examine(run.signal);
  const healthy = found.every(({ state }) => state !== 'bad');
  const settings = { ...config, flags: isFoundByItself(file) ? '' : ` --config ${shellWord(name)}` };
  const { json, clock } = run;
  const screen = createScreen({ ...streamingOf(run), json, environment: readEnvironment(), clock, settings });
  const findings = found.map((one) => ({ ...one, hint: one.hint && screen.look.named(one.hint) }));
  await screen.show({ file, healthy, findings }, (look) => {
    const first = healthy ? '' : 'mend what is BAD, until docmirror doctor finds nothing, then ';
    const next = look.named(`Next: ${first}docmirror sync, then docmirror daemon`);
    return [`Wrote ${name}.`, '', doctorView(findings, look), '', next].join('\n');
  });
  if (before.length > 0)
    await screen.note(
      `Set in the environment, which goes before ${name}, and tried in its place: ${before.join(', ')}`,
    );
  return healthy ? 0 : 1;
}
