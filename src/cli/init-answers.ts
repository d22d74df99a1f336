// What `init` asks. Each answer is checked when it is given: asked again of a person, an error for whoever cannot be asked.
import { existsSync } from 'node:fs';
import { join, parse, resolve } from 'node:path';
import { AppError, isRecord, toAppError, zoneHere, type Prompt } from '../base/index.ts';
import { defaultText, problemOfText, readTextFile, understoodText, type SettingKey } from '../config/index.ts';
import type { Answers } from './configuration-text.ts';

export interface GivenAnswers {
  /** Replaces files that are there. */
  readonly force?: boolean;
  readonly baseUrl?: string;
  readonly tokenFile?: string;
  readonly dataDir?: string;
  readonly syncAt?: string;
  readonly drillAt?: string;
  readonly timezone?: string;
}

/** A file of its own for a secret that was typed. */
export interface TypedSecret {
  readonly file: string;
  readonly text: string;
}

export interface Answered {
  readonly answers: Answers;
  /** Without the token when that is in a file already. */
  readonly secrets: readonly TypedSecret[];
}

/** What an interview is held with. */
interface Asking {
  /** Null when nobody is asked. */
  readonly prompt: Prompt | null;
  readonly given: GivenAnswers;
  /** The configuration that is to be written. */
  readonly file: string;
}

interface Question {
  /** From the command line. */
  readonly given: string | undefined;
  readonly flag: string;
  readonly text: string;
  readonly offered: string;
  problemOf(answer: string): string | null;
}

/** What is said of a question beside its setting, whose default is offered. */
type Asked = Omit<Question, 'problemOf' | 'offered'> & Partial<Pick<Question, 'offered'>>;

/** Every answer, asked for unless an option gives it. Without a prompt, what is offered is taken. Writes nothing. */
export async function answersOf(asking: Asking): Promise<Answered> {
  const { prompt, given } = asking;
  const ask = (key: SettingKey, question: Asked): Promise<string> =>
    answerTo(prompt, {
      offered: defaultText(key),
      ...question,
      problemOf: (answer) => (answer === '' ? null : problemOfText(key, answer)),
    });
  const baseUrl = await ask('platform.baseUrl', {
    given: given.baseUrl,
    flag: '--base-url',
    text: "The platform's base address, without /v1",
  });
  if (baseUrl === '') throw missing('base address', '--base-url');
  const token = await tokenOf(asking);
  const dataDir = await ask('dataDir', {
    given: given.dataDir,
    flag: '--data-dir',
    text: 'Where the mirror is to live',
  });
  const sync = await ask('schedule.sync', {
    given: given.syncAt,
    flag: '--sync-at',
    text: 'When to walk (minute hour day month weekday)',
  });
  const drill = await ask('schedule.drill', {
    given: given.drillAt,
    flag: '--drill-at',
    text: 'When to rehearse a restore',
  });
  const timezone = await ask('schedule.timezone', {
    given: given.timezone,
    flag: '--timezone',
    offered: zoneHere(),
    text: 'In which time zone',
  });
  const webhook = await webhookOf(asking);
  const answers = new Map<string, string | null>([
    ['platform.baseUrl', understoodText('platform.baseUrl', baseUrl)],
    ['platform.tokenFile', token.file],
    ['dataDir', inFull(dataDir)],
    ['schedule.timezone', timezone],
    ['schedule.sync', sync],
    ['schedule.drill', drill],
    ...(webhook === null ? [] : [['notify.webhookFile', webhook.file] as const]),
  ]);
  return { answers, secrets: [token, webhook].filter(isTyped) };
}

/** The working directory of whoever answers is not that of the service which reads the file: there a relative path leads elsewhere. */
function inFull(path: string): string {
  return path === '' ? path : resolve(path);
}

function isTyped(secret: Partial<TypedSecret> | null): secret is TypedSecret {
  return secret?.text !== undefined;
}

/** Beside the configuration, and named after it: another one in the same folder has secrets of its own. */
function besideConfiguration({ file }: Asking, what: 'token' | 'webhook'): string {
  const { dir, name } = parse(file);
  return join(dir, `${name}.${what}`);
}

function problemOfPlace({ given }: Asking, file: string): string | null {
  return existsSync(file) && given.force !== true ? `${file} is there already; --force replaces it` : null;
}

async function answerTo(prompt: Prompt | null, question: Question): Promise<string> {
  const { given, flag, text, offered } = question;
  let asked = text;
  for (;;) {
    const answer = given ?? (prompt === null ? offered : await prompt.ask(asked, offered));
    const problem = question.problemOf(answer);
    if (problem === null) return answer;
    // What is offered comes back at the end of the input too: asking on would never end.
    if (given !== undefined || prompt?.isPerson !== true || answer === offered) throw wrong(flag, problem);
    asked = `${problem}. ${text}`;
  }
}

/** The address is a secret as well: it goes into a file of its own. Null for none. */
async function webhookOf(asking: Asking): Promise<TypedSecret | null> {
  const file = besideConfiguration(asking, 'webhook');
  const text = await answerTo(asking.prompt, {
    given: undefined,
    flag: 'DOCMIRROR_NOTIFY_WEBHOOK',
    offered: '',
    text: 'Address that is told when a night went wrong (empty: none)',
    problemOf: (answer) =>
      answer === '' ? null : (problemOfText('notify.webhook', answer) ?? problemOfPlace(asking, file)),
  });
  return text === '' ? null : { file, text };
}

/** The token that is typed goes into a file beside the configuration. */
async function tokenOf(asking: Asking): Promise<{ file: string; text?: string }> {
  const { prompt, given } = asking;
  const file = besideConfiguration(asking, 'token');
  if (given.tokenFile === undefined && prompt === null) throw missing('token file', '--token-file');
  const named = await answerTo(prompt, {
    given: given.tokenFile,
    flag: '--token-file',
    offered: '',
    text: 'File that holds the access token (empty: type the token)',
    problemOf: (answer) => (answer === '' ? problemOfPlace(asking, file) : problemOfTokenFile(answer)),
  });
  if (named !== '') return { file: inFull(named) };
  if (prompt === null) throw missing('token file', '--token-file');
  return { file, text: await typedToken(prompt) };
}

async function typedToken(prompt: Prompt): Promise<string> {
  let asked = 'Access token (not shown)';
  for (;;) {
    const token = await prompt.askSecret(asked);
    // At the end of the input (Ctrl-D) nobody answers any more, and asking on would never end.
    if (token === null || (token === '' && !prompt.isPerson)) throw missing('token', '--token-file');
    const problem = token === '' ? 'Nothing was typed' : problemOfText('platform.token', token);
    if (problem === null) return token;
    if (!prompt.isPerson) throw wrong('The access token', problem);
    asked = `${problem}. Access token (not shown)`;
  }
}

/** Names no file: a token that is typed here by mistake goes into no error. */
function problemOfTokenFile(file: string): string | null {
  let text: string | null;
  try {
    text = readTextFile(file);
  } catch (error) {
    const { cause } = toAppError(error);
    const isRefused = isRecord(cause) && 'syscall' in cause;
    return isRefused ? `That file cannot be read (${String(cause['code'])})` : 'That file holds no token';
  }
  if (text === null) return 'There is no such file';
  const problem = problemOfText('platform.token', text.trim());
  return problem === null ? null : `That file holds no token: ${problem}`;
}

function wrong(where: string, problem: string): AppError {
  return new AppError('DM_CONFIG_INVALID', `${where}: ${problem}`, {
    hint: 'Correct it and run the command again. Nothing was written.',
  });
}

function missing(what: string, flag: string): AppError {
  return new AppError('DM_USAGE', `The ${what} is missing`, {
    hint: `Answer the question, or give ${flag}. Nothing was written.`,
  });
}
