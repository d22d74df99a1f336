import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'undici';
import { startChild } from './children.ts';
import {
  freshDirectory,
  runJson,
  startPlatformProcess,
  type Benchmark,
  type Figure,
  type Finished,
} from './harness.ts';

const SPACES = 100;
const PAGES = 200;
const BYTES = 4096;
const CONNECTIONS = 16;
const ROUNDS = 3;
const PLATFORM_SPACES = 400;
const PLATFORM_PAGES = 20;
const LIMIT = 1000;

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
    'that they share, and at the highest limit that the limiter is measured at',
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
    { what: 'first walk to bare loop', value: best.walk / best.bare, unit: '', bound: { least: 0.4 } },
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

interface Walked extends Sync, Pick<Finished, 'mainThreadMs'> {}

async function firstWalk(environment: Readonly<Record<string, string>>, perSecond?: number): Promise<Walked> {
  await using directory = await freshDirectory();
  const config = join(directory.path, 'docmirror.yaml');
  const limit = perSecond === undefined ? '' : `  requestsPerSecond: ${perSecond}\n`;
  const limits = `limits:\n  concurrency: ${CONNECTIONS}\n${limit}`;
  await writeFile(config, `${limits}walk:\n  documents: false\nexport:\n  enabled: false\n`);
  const settings = { ...environment, DOCMIRROR_CONFIG: config, DOCMIRROR_DATA_DIR: join(directory.path, 'data') };
  const { json, mainThreadMs } = await runJson<Sync>(['sync'], settings);
  if (json.state !== 'complete') throw new Error(`the walk is ${json.state}`);
  return { ...json, mainThreadMs };
}

async function fromPlatform(): Promise<Figure[]> {
  const scale = ['--seed', 'scale', '--spaces', String(PLATFORM_SPACES), '--pages', String(PLATFORM_PAGES)];
  await using platform = await startPlatformProcess(scale);
  // What every command costs before it begins is not the walk's.
  const { mainThreadMs: before } = await runJson(['doctor', '--coverage'], {});
  const waiting = ({ durationMs, mainThreadMs }: Walked): number => 1 - (mainThreadMs - before) / durationMs;
  const free = await firstWalk(platform.environment);
  const limited = await firstWalk(platform.environment, LIMIT);
  const perSecond = ({ requests, durationMs }: Walked): number => requests / (durationMs / 1000);
  return [
    { what: 'embedded platform, no limit', value: perSecond(free), unit: 'requests/s' },
    {
      what: 'embedded platform, no limit: share of the time in which the walking thread waits',
      value: waiting(free),
      unit: '',
    },
    { what: `embedded platform, limit of ${LIMIT} requests per second`, value: perSecond(limited), unit: 'requests/s' },
    {
      what: `embedded platform, limit of ${LIMIT} requests per second: share of the time in which the walking thread waits`,
      value: waiting(limited),
      unit: '',
      bound: { least: 0.8 },
    },
  ];
}
