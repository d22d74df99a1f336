import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'undici';
import { startChild } from './children.ts';
import { freshDirectory, runJson, startPlatformProcess, type Benchmark, type Figure } from './harness.ts';

const SPACES = 100;
const PAGES = 200;
const BYTES = 4096;
const CONNECTIONS = 16;
const ROUNDS = 3;
const PLATFORM_SPACES = 400;
const PLATFORM_PAGES = 20;
const LIMITS = [500, 1000];

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
    'that they share, and with limits',
  async run() {
    return [...(await fromMemory()), ...(await fromPlatform())];
  },
};

async function fromMemory(): Promise<Figure[]> {
  await using server = await startChild('memory-server.ts', [SPACES, PAGES, BYTES]);
  const best = { bare: 0, walk: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    best.bare = Math.max(best.bare, await bareLoop(server.url));
    const { durationMs } = await firstWalk({ DOCMIRROR_BASE_URL: server.url, DOCMIRROR_TOKEN: 'none' });
    best.walk = Math.max(best.walk, (SPACES * PAGES) / (durationMs / 1000));
  }
  return [
    { what: 'bare loop', value: best.bare, unit: 'pages/s' },
    { what: 'first walk', value: best.walk, unit: 'pages/s' },
    {
      what: 'first walk to bare loop',
      value: best.walk / best.bare,
      unit: '',
      bound: { least: 0.4 },
      shortfall: OF_THE_LOOP,
    },
  ];
}

async function bareLoop(url: string): Promise<number> {
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 });
  const paths = Array.from({ length: SPACES * PAGES }, (_, index) => {
    const [space, page] = [Math.floor(index / PAGES), index % PAGES];
    return `/v1/spaces/space${space}/content/page/page${space}x${page}?format=markdown`;
  });
  const started = performance.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
      const { body } = await pool.request({ path, method: 'GET' });
      await body.text();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS * 4 }, lane));
  const seconds = (performance.now() - started) / 1000;
  await pool.close();
  return paths.length / seconds;
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

const OF_THE_LOOP =
  'of some 210 us for each page about 45 are the request, 25 the commits (pages of 32 KiB of a dozen indexes), 70 the rows with ' +
  'their JSON and hashes, 20 the full-text index at the seal, 25 the garbage collector, all on one thread. A thread for the network and ' +
  'one for SQLite, with nothing but the rows and the index, without frontier and limiter, reached 0.31 here: two cores that the ' +
  'server uses too do not allow 0.4 with a full-text index in the walk. Transactions longer than a quarter of a second, and one that ' +
  'stays open with a savepoint for each visit, were slower (answers held make garbage; savepoints copy pages). Next: fewer rows for each page ' +
  '(one entry of the frontier for many pages of a revision), and the full-text index after the seal.';
const OF_THE_WAIT =
  'a request costs the walking thread about 270 us at this pace; a seventh of that is the garbage collector, a tenth the full-text ' +
  'index at the seal. Transactions of a second, larger pages of the index and no merging of it meanwhile save a hundredth each. ' +
  'The next step is that of the loop above.';
