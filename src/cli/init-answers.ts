// What `init` asks. Each answer is checked when it is given: asked again of a person, an error for whoever cannot be asked.
import { join } from 'node:path';
import { AppError, isRecord, toAppError, zoneHere, type Prompt } from '../base/index.ts';
import { defaultText, problemOfText, readTextFile, understoodText, type SettingKey } from '../config/index.ts';
import type { Answers } from './configuration-text.ts';

export interface GivenAnswers {
  readonly baseUrl?: string;
  readonly tokenFile?: string;
  readonly dataDir?: string;
  readonly syncAt?: string;
  readonly drillAt?: string;
  readonly timezone?: string;
}

/** A file of its own for a token that was typed. */
export interface TypedToken {
  readonly file: string;
  readonly text: string;
}

export interface Answered {
  readonly answers: Answers;
  /** Null when the token is in a file already. */
  readonly token: TypedToken | null;
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
export async function answersOf(prompt: Prompt | null, given: GivenAnswers, folder: string): Promise<Answered> {
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
  const { file, token } = await tokenOf(prompt, given.tokenFile, folder);
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
  const webhook = await ask('notify.webhook', {
    given: undefined,
    flag: 'DOCMIRROR_NOTIFY_WEBHOOK',
    text: 'Address that is told when a night went wrong (empty: none)',
  });
  const answers = new Map<string, string | null>([
    ['platform.baseUrl', understoodText('platform.baseUrl', baseUrl)],
    ['platform.tokenFile', file],
    ['dataDir', dataDir],
    ['schedule.timezone', timezone],
    ['schedule.sync', sync],
    ['schedule.drill', drill],
    ...(webhook === '' ? [] : [['notify.webhook', webhook] as const]),
  ]);
  return { answers, token };
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

/** The token that is typed goes into a file beside the configuration. */
async function tokenOf(
  prompt: Prompt | null,
  given: string | undefined,
  folder: string,
): Promise<{ file: string; token: TypedToken | null }> {
  if (given === undefined && prompt === null) throw missing('token file', '--token-file');
  const named = await answerTo(prompt, {
    given,
    flag: '--token-file',
    offered: '',
    text: 'File that holds the access token (empty: type the token)',
    problemOf: (answer) => (answer === '' ? null : problemOfTokenFile(answer)),
  });
  if (named !== '') return { file: named, token: null };
  if (prompt === null) throw missing('token file', '--token-file');
  const file = join(folder, 'docmirror.token');
  return { file, token: { file, text: await typedToken(prompt) } };
}

async function typedToken(prompt: Prompt): Promise<string> {
  let asked = 'Access token (not shown)';
  for (;;) {
    const token = await prompt.askSecret(asked);
    if (token === '' && !prompt.isPerson) throw missing('token', '--token-file');
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
