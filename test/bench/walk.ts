import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bareLoop } from './bare-loop.ts';
import { fileURLToPath } from 'node:url';
import { startChild } from './children.ts';
import { firstSpace } from './edits.ts';
import { launch } from './measured.ts';
import {
  freshDirectory,
  root,
  runJson,
  startPlatformProcess,
  type Benchmark,
  type Figure,
  type Platform,
} from './harness.ts';

const SPACES = 100;
const PAGES = 200;
const BYTES = 4096;
const CONNECTIONS = 16;
const ROUNDS = 3;
const PLATFORM_SPACES = 400;
const PLATFORM_PAGES = 20;
const LIMITS = [500, 1000];
const PACED_SECONDS = 20;

interface Sync {
  readonly state: string;
  readonly requests: number;
  readonly durationMs: number;
}

/** A first walk of 20,000 pages beside a loop that only asks for them. */
export const walk: Benchmark = {
  name: 'walk',
  about:
    `first walk of ${SPACES} spaces x ${PAGES} pages of 4 KB from a server that only answers from memory, beside a bare undici loop ` +
    `over the same pages (${CONNECTIONS} connections, best of ${ROUNDS} rounds in turn); and how busy the walking process is ` +
    `while it walks the embedded platform, ${PLATFORM_SPACES} spaces x ${PLATFORM_PAGES} pages, as fast as both can on the cores ` +
    'that they share, and with limits, beside a loop over undici that asks for pages at the same pace and parses them',
  async run() {
    return [...(await fromMemory()), ...(await fromPlatform())];
  },
};

async function fromMemory(): Promise<Figure[]> {
  await using server = await startChild('memory-server.ts', [SPACES, PAGES, BYTES]);
  const best = { bare: 0, fresh: 0, walk: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    best.bare = Math.max(
      best.bare,
      await bareLoop({ url: server.url, spaces: SPACES, pages: PAGES, connections: CONNECTIONS }),
    );
    best.fresh = Math.max(best.fresh, await freshLoop(server.url));
    const { durationMs } = await firstWalk({ DOCMIRROR_BASE_URL: server.url, DOCMIRROR_TOKEN: 'none' });
    best.walk = Math.max(best.walk, (SPACES * PAGES) / (durationMs / 1000));
  }
  return [
    { what: 'bare loop', value: best.bare, unit: 'pages/s' },
    { what: 'bare loop in a fresh process', value: best.fresh, unit: 'pages/s' },
    { what: 'first walk', value: best.walk, unit: 'pages/s' },
    { what: 'first walk to bare loop in a fresh process', value: best.walk / best.fresh, unit: '' },
    {
      what: 'first walk to bare loop',
      value: best.walk / best.bare,
      unit: '',
      bound: { least: 0.4 },
      shortfall: OF_THE_LOOP,
    },
  ];
}

/** The same loop in a process of its own, which has compiled nothing yet: as each walk begins. */
async function freshLoop(url: string): Promise<number> {
  const file = fileURLToPath(new URL('bare-loop.ts', import.meta.url));
  const args = ['--import', 'tsx', file, url, ...[SPACES, PAGES, CONNECTIONS].map(String)];
  const { code, stdout, stderr } = await launch({ program: process.execPath, args, environment: {}, folder: root })
    .finished;
  if (code !== 0) throw new Error(`the bare loop ended with ${code}: ${stderr}`);
  return Number(stdout);
}

interface Walked extends Sync {
  /** Time that the main thread computed, ms; what the command costs before it begins left out. */
  readonly busyMs: number;
}

async function firstWalk(environment: Readonly<Record<string, string>>, perSecond?: number): Promise<Walked> {
  await using directory = await freshDirectory();
  const config = join(directory.path, 'docmirror.yaml');
  const limit = perSecond === undefined ? '' : `  requestsPerSecond: ${perSecond}\n`;
  const limits = `limits:\n  concurrency: ${CONNECTIONS}\n${limit}`;
  await writeFile(config, `${limits}walk:\n  documents: false\nexport:\n  enabled: false\n`);
  const settings = { ...environment, DOCMIRROR_CONFIG: config, DOCMIRROR_DATA_DIR: join(directory.path, 'data') };
  const { json, mainThreadMs } = await runJson<Sync>(['sync'], settings);
  if (json.state !== 'complete') throw new Error(`the walk is ${json.state}`);
  const idle = await runJson(['sync', '--plan'], settings);
  return { ...json, busyMs: mainThreadMs - idle.mainThreadMs };
}

async function fromPlatform(): Promise<Figure[]> {
  const scale = ['--seed', 'scale', '--spaces', String(PLATFORM_SPACES), '--pages', String(PLATFORM_PAGES)];
  await using platform = await startPlatformProcess(scale);
  const perSecond = ({ requests, durationMs }: Walked): number => requests / (durationMs / 1000);
  const waiting = ({ durationMs, busyMs }: Walked): number => 1 - busyMs / durationMs;
  const free = await firstWalk(platform.environment);
  const limited: Figure[] = [];
  const paths = await somePages(platform);
  for (const limit of LIMITS) {
    const walked = await firstWalk(platform.environment, limit);
    const what = `embedded platform, limit of ${limit} requests per second`;
    limited.push({ what, value: perSecond(walked), unit: 'requests/s' });
    limited.push({
      what: `${what}: share of the time in which the walking thread waits`,
      value: waiting(walked),
      unit: '',
      bound: { least: 0.8 },
      shortfall: OF_THE_WAIT,
    });
    const loop = await pacedLoop(platform, { limit, paths });
    limited.push({
      what: `${what}: the same of a bare loop at ${Math.round(loop.perSecond)} per second`,
      value: loop.waits,
      unit: '',
    });
  }
  return [
    { what: 'embedded platform, no limit', value: perSecond(free), unit: 'requests/s' },
    {
      what: 'embedded platform, no limit: share of the time in which the walking thread waits',
      value: waiting(free),
      unit: '',
    },
    ...limited,
  ];
}

interface Paced {
  readonly limit: number;
  readonly paths: readonly string[];
}

/** What its thread waits of the time is measured as that of a walk is. */
async function pacedLoop(platform: Platform, { limit, paths }: Paced): Promise<{ waits: number; perSecond: number }> {
  const run = async (seconds: number): Promise<{ requests: number; ms: number; busyMs: number }> => {
    const file = fileURLToPath(new URL('paced-loop.ts', import.meta.url));
    const numbers = [limit, seconds].map(String);
    const args = ['--import', 'tsx', file, platform.url, platform.token, ...numbers, ...paths];
    const finished = await launch({ program: process.execPath, args, environment: {}, folder: root }).finished;
    if (finished.code !== 0) throw new Error(`the paced loop ended with ${finished.code}: ${finished.stderr}`);
    const { requests, ms } = JSON.parse(finished.stdout) as { requests: number; ms: number };
    return { requests, ms, busyMs: finished.mainThreadMs };
  };
  const [idle, paced] = [await run(0), await run(PACED_SECONDS)];
  return { waits: 1 - (paced.busyMs - idle.busyMs) / paced.ms, perSecond: paced.requests / (paced.ms / 1000) };
}

/** Paths of the pages of a space, as a walk asks for them. */
async function somePages(platform: Platform): Promise<string[]> {
  const { space, pages } = await firstSpace(platform);
  return pages.map((page) => `/v1/spaces/${space}/content/page/${page}?format=markdown`);
}

const OF_THE_LOOP =
  'of some 210 us for each page about 45 are the request, 25 the commits (pages of 32 KiB of a dozen indexes), 70 the rows with ' +
  'their JSON and hashes, 20 the full-text index at the seal, 25 the garbage collector, all on one thread. A thread for the network and ' +
  'one for SQLite, with nothing but the rows and the index, without frontier and limiter, reached 0.31 here: two cores that the ' +
  'server uses too do not allow 0.4 with a full-text index in the walk. The whole client on a thread of its own made the walk a fifth slower ' +
  '(7.0 s for 5.9 s): what crosses, and a second heap and compiler, cost more than the second core gave. Transactions longer than a quarter ' +
  'of a second, one that stays open with a savepoint for each visit, and the flags of V8 for compiling and heap sizes were no faster. By samples ' +
  'the rest is spread thin: system calls a fifth, compiling a sixth, the garbage collector an eighth, SQLite a tenth. A loop in a fresh process, ' +
  'as each walk is one, reaches half of what one does that is compiled.';
const OF_THE_WAIT =
  'a request costs the walking thread about 270 us at this pace; a seventh of that is the garbage collector, a tenth the full-text ' +
  'index at the seal. Transactions of a second, larger pages of the index and no merging of it meanwhile save a hundredth each. ' +
  'The next step is that of the loop above.';
