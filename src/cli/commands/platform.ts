import type { Command } from 'commander';
import { AppError, formatDuration, Secret, shellWord, writeStdout, type Environment } from '../../base/index.ts';
import type { Seed } from '../../app.ts';
import { problemOfText, readTextFile } from '../../config/index.ts';
import { MOST_CLOCK_SHIFT_MS, MOST_SCALE_PAGES, readFaultPlan, type FaultPlan } from '../../platform/index.ts';
import { createCommand, doesForAll, positiveNumber, timeSpan, wholeNumber, type Run } from '../command.ts';
import { count } from '../views/units.ts';
import { untilStopped } from '../until-stopped.ts';

interface Options {
  port: string;
  host: string;
  data?: string;
  seed: string;
  spaces?: string;
  pages?: string;
  rate?: string;
  faults?: string;
  clockShift?: string;
  dataDir?: string;
}

export function platformCommand(run: Run): Command {
  const command = createCommand({
    name: 'platform',
    examples: [
      'platform --seed demo',
      'platform --seed scale --spaces 100 --pages 100 --rate 50',
      'platform --data ./platform --port 8700',
    ],
    notes: [
      'When it listens and is filled, stdout gets one line of JSON: {"url","token","organizations":[ids]}.',
      'The token comes from DOCMIRROR_PLATFORM_TOKEN, else from the --data folder, else it is a random one.',
    ],
  })
    .option('--port <port>', 'port of the API, 0 is any free one', '0')
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--data <dir>', 'where it is kept; in memory without')
    .option('--seed <name>', 'what it is filled with: demo, empty or scale', 'empty')
    .option('--spaces <n>', 'spaces of the scale seed (default: 10)')
    .option('--pages <n>', `pages in each space of the scale seed (default: 100, at most ${MOST_SCALE_PAGES})`)
    .option('--rate <n>', 'requests per second that it allows; very many without')
    .option('--faults <file>', 'faults on demand, a JSON file')
    .option(
      '--import-from <network>',
      'host, address or network (10.0.0.0/8) that imports may be fetched from besides this machine, * for all; may be repeated',
      (one: string, before?: string) => (before === undefined ? one : `${before},${one}`),
    )
    .option('--clock-shift <time>', 'how far its time is ahead: 6d, 12h (move it further with POST /_platform/clock)');
  return doesForAll<Options>(run, command, async (context, options) => {
    const { app, screen, environment, signal } = context;
    refuseMirror(options);
    const shift = options.clockShift === undefined ? 0 : shiftOf(options.clockShift);
    using progress = screen.progress('seed');
    await using embedded = await app.startPlatform({
      folder: options.data ?? null,
      token: tokenIn(environment),
      seed: seedOf(options),
      host: hostOf(options.host),
      port: portOf(options.port),
      ...(options.rate === undefined ? {} : { rate: positiveNumber('--rate', options.rate) }),
      ...(options.faults === undefined ? {} : { faults: faultsIn(options.faults) }),
      onSeed: ({ spaces, totalSpaces, pages }) => progress.update(spaces, totalSpaces, count(pages, 'page')),
      signal,
    });
    progress[Symbol.dispose]();
    if (shift > 0) embedded.platform.advanceClock(shift);
    if (!embedded.seeded && options.seed !== 'empty') await screen.note(`${options.data} is filled already.`);
    const { url, token } = embedded.platform;
    await writeStdout(`${JSON.stringify({ url, token, organizations: embedded.platform.organizations() })}\n`);
    context.stayUp();
    await untilStopped(context);
  });
}

/** The platform is no mirror: whoever names the folder of one thinks that it is kept there. */
function refuseMirror({ dataDir }: Options): void {
  if (dataDir === undefined) return;
  throw new AppError(
    'DM_USAGE',
    '--data-dir names the folder of a mirror; expected --data with the folder that a platform is kept in',
    {
      hint: `Run docmirror platform --data ${shellWord(dataDir)}, or leave it out: then it is kept in memory.`,
    },
  );
}

const TOKEN_VARIABLE = 'DOCMIRROR_PLATFORM_TOKEN';

/** Null for none. One that no request can bear would let nobody in. */
function tokenIn(environment: Environment): Secret | null {
  const given = environment[TOKEN_VARIABLE] ?? '';
  if (given === '') return null;
  const problem = problemOfText('platform.token', given);
  if (problem === null) return Secret.of(given);
  throw new AppError('DM_CONFIG_INVALID', `${TOKEN_VARIABLE}: ${problem}`, {
    hint: `Correct ${TOKEN_VARIABLE}, or unset it: then the platform has a token of its own.`,
  });
}

/** An empty one is none to the system either, which would listen on every address of the machine. */
function hostOf(text: string): string {
  if (text.trim() !== '') return text;
  throw new AppError('DM_USAGE', `--host is ${JSON.stringify(text)}; expected a host name or an IP address`, {
    hint: 'Write it out; a variable that stands for it may not be set. Every address of this machine is 0.0.0.0.',
  });
}

function shiftOf(text: string): number {
  const shift = timeSpan('--clock-shift', text);
  if (shift <= MOST_CLOCK_SHIFT_MS) return shift;
  const most = formatDuration(MOST_CLOCK_SHIFT_MS);
  throw new AppError('DM_USAGE', `--clock-shift is ${JSON.stringify(text)}; expected at most ${most}`, {
    hint: 'Give less; POST /_platform/clock moves it further.',
  });
}

const LAST_PORT = 65_535;

function portOf(text: string): number {
  const port = wholeNumber('--port', text);
  if (port <= LAST_PORT) return port;
  throw new AppError('DM_USAGE', `--port is ${JSON.stringify(text)}; expected 0 to ${LAST_PORT}`, {
    hint: 'Give another one, or 0 for any free one.',
  });
}

/** What `--seed` may name. */
export const SEEDS = ['demo', 'empty', 'scale'] as const satisfies readonly Seed['name'][];

function seedOf({ seed, spaces, pages }: Options): Seed {
  const sized = spaces === undefined ? (pages === undefined ? null : '--pages') : '--spaces';
  if (sized !== null && seed !== 'scale') {
    throw new AppError(
      'DM_USAGE',
      `${sized} is given and --seed is ${JSON.stringify(seed)}; expected --seed scale with it`,
      {
        hint: 'Add --seed scale, or leave it out.',
      },
    );
  }
  if (seed === 'demo' || seed === 'empty') return { name: seed };
  if (seed === 'scale') {
    return {
      name: seed,
      spaces: wholeNumber('--spaces', spaces ?? '10'),
      pages: pagesOf(pages ?? '100'),
    };
  }
  throw new AppError('DM_USAGE', `--seed is ${JSON.stringify(seed)}; expected demo, empty or scale`, {
    hint: 'Correct it and run the command again.',
  });
}

function pagesOf(text: string): number {
  const pages = wholeNumber('--pages', text);
  if (pages <= MOST_SCALE_PAGES) return pages;
  throw new AppError(
    'DM_USAGE',
    `--pages is ${JSON.stringify(text)}; expected 0 to ${MOST_SCALE_PAGES}, which one import takes`,
    {
      hint: 'Give fewer, and more --spaces.',
    },
  );
}

function faultsIn(file: string): FaultPlan {
  let value: unknown;
  try {
    const text = readTextFile(file);
    if (text === null) throw new Error('there is no such file');
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError('DM_USAGE', `The faults in ${file} cannot be read: ${(cause as Error).message}`, {
      hint: 'Name a JSON file: a list of {operation?, pathPattern?, nth?, count?, probability?, seed?, effect}.',
      cause,
    });
  }
  return readFaultPlan(value);
}
