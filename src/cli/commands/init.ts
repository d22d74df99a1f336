import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import {
  AppError,
  createLogger,
  createPrompt,
  isTerminal,
  readEnvironment,
  systemRandom,
  writeFileAtomic,
  type ExitCode,
  type Prompt,
} from '../../base/index.ts';
import { loadConfig } from '../../config/index.ts';
import { createCommand, type Run } from '../command.ts';
import { configurationText, type Answers } from '../configuration-text.ts';
import { createScreen } from '../screen.ts';
import { SUMMARIES } from '../summaries.ts';
import { doctorView } from '../views/doctor.ts';

interface Options {
  baseUrl?: string;
  tokenFile?: string;
  dataDir?: string;
  syncAt?: string;
  drillAt?: string;
  timezone?: string;
  force?: boolean;
  yes?: boolean;
}

const FILE = 'config/docmirror.yaml';

export function initCommand(run: Run): Command {
  const command = createCommand({
    name: 'init',
    summary: SUMMARIES.init,
    examples: [
      'init',
      'init --yes --base-url https://api.docs.example --token-file token.txt --data-dir /data docmirror.yaml',
    ],
    notes: [
      'The token goes into a file of its own that only you can read, never into the configuration.',
      'No flag takes a secret: with --yes, set DOCMIRROR_NOTIFY_WEBHOOK where Docmirror runs to be told when a night went wrong.',
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
  if (existsSync(file) && options.force !== true) {
    throw new AppError('DM_USAGE', `${name} is there already`, {
      hint: 'Add --force to replace it, or name another file.',
    });
  }
  const screen = createScreen({ json: run.json, environment: readEnvironment(), clock: run.clock });
  using prompt = options.yes === true ? null : createPrompt(run.signal);
  const answers = await answersOf(prompt, options, dirname(file));
  await mkdir(dirname(file), { recursive: true });
  await writeFileAtomic(file, configurationText(answers));
  return await tryOut(run, file, { name, screen });
}

/** Every answer, asked for unless an option gives it. */
async function answersOf(prompt: Prompt | null, options: Options, folder: string): Promise<Answers> {
  const ask = async (given: string | undefined, question: string, offered: string): Promise<string> =>
    given ?? (prompt === null ? offered : await prompt.ask(question, offered));
  const baseUrl = await ask(options.baseUrl, "The platform's base address, without /v1", '');
  if (baseUrl === '') throw missing('base address', '--base-url');
  const tokenFile = options.tokenFile ?? (await tokenFileOf(prompt, folder));
  const dataDir = await ask(options.dataDir, 'Where the mirror is to live', './data');
  const sync = await ask(options.syncAt, 'When to walk (minute hour day month weekday)', '0 2 * * *');
  const drill = await ask(options.drillAt, 'When to rehearse a restore', '0 4 * * 0');
  const timezone = await ask(options.timezone, 'In which time zone', Intl.DateTimeFormat().resolvedOptions().timeZone);
  const webhook = await ask(undefined, 'Address that is told when a night went wrong (empty: none)', '');
  return new Map<string, string | null>([
    ['platform.baseUrl', baseUrl],
    ['platform.tokenFile', tokenFile],
    ['dataDir', dataDir],
    ['schedule.timezone', timezone],
    ['schedule.sync', sync],
    ['schedule.drill', drill],
    ...(webhook === '' ? [] : [['notify.webhook', webhook] as const]),
  ]);
}

/** The token that is typed goes into a file beside the configuration. */
async function tokenFileOf(prompt: Prompt | null, folder: string): Promise<string> {
  if (prompt === null) throw missing('token file', '--token-file');
  const named = await existingFile(prompt, 'File that holds the access token (empty: type the token)');
  if (named !== '') return named;
  const token = await prompt.askSecret('Access token (not shown)');
  if (token === '') throw missing('token', '--token-file');
  const file = join(folder, 'docmirror.token');
  await mkdir(folder, { recursive: true });
  await writeFileAtomic(file, `${token}\n`);
  return file;
}

/** Asks until the file is there or none is named: a token that is typed here goes neither into the configuration nor into an error. */
async function existingFile(prompt: Prompt, question: string): Promise<string> {
  let named = await prompt.ask(question, '');
  while (named !== '' && !existsSync(named)) named = await prompt.ask(`There is no such file. ${question}`, '');
  return named;
}

function missing(what: string, flag: string): AppError {
  return new AppError('DM_USAGE', `The ${what} is missing`, {
    hint: `Answer the question, or give ${flag}. Nothing was written.`,
  });
}

/** What was written is read back and tried against the platform. */
async function tryOut(
  run: Run,
  file: string,
  { name, screen }: { name: string; screen: ReturnType<typeof createScreen> },
): Promise<ExitCode> {
  const config = loadConfig({ flags: { config: file }, environment: readEnvironment(), cwd: process.cwd() });
  const { createApp } = await import('../../app.ts');
  const log = createLogger({ level: 'warn', pretty: isTerminal('stderr') });
  await using app = createApp(config, { clock: run.clock, random: systemRandom(), log });
  const findings = await app.examine(run.signal);
  const healthy = findings.every(({ state }) => state !== 'bad');
  await screen.show({ file, healthy, findings }, (look) => {
    const next = `Next: docmirror sync --config ${name}, then docmirror daemon --config ${name}`;
    return [`Wrote ${name}.`, '', doctorView(findings, look), '', next].join('\n');
  });
  return healthy ? 0 : 1;
}
