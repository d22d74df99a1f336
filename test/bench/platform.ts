import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  callApi,
  freshDirectory,
  startPlatformProcess,
  type Benchmark,
  type Figure,
  type Platform,
} from './harness.ts';
import { requestsPerSecond } from './load.ts';

const BARE = fileURLToPath(new URL('bare-route.ts', import.meta.url));
const ROUNDS = 3;

/** How fast and how large the embedded platform is. */
export const platform: Benchmark = {
  name: 'platform',
  about:
    'the embedded platform in a process of its own: requests per second beside a bare route of the same framework that answers the ' +
    'same bytes from memory (16 connections, best of 3 rounds in turn; "new" is what was never asked before), and the scale seed',
  async run() {
    return [...(await speed()), ...(await seeding()), ...(await size())];
  },
};

interface Question {
  readonly what: string;
  readonly path: string;
}

async function speed(): Promise<Figure[]> {
  await using asked = await startPlatformProcess(['--seed', 'scale', '--spaces', '100', '--pages', '20']);
  await using directory = await freshDirectory();
  const questions = await questionsTo(asked);
  const files = await Promise.all(
    questions.map(async ({ path }, i) => {
      const file = join(directory.path, `${i}.json`);
      await writeFile(file, JSON.stringify(await callApi<unknown>(asked, `GET ${path}`)));
      return file;
    }),
  );
  await using bare = await startBare(files);
  const figures: Figure[] = [];
  for (const [i, { what, path }] of questions.entries()) {
    const target = { url: `${asked.url}${path}`, token: asked.token };
    const best = { bare: 0, platform: 0, fresh: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      best.bare = Math.max(best.bare, await requestsPerSecond({ url: `${bare.url}/${i}` }));
      best.platform = Math.max(best.platform, await requestsPerSecond(target));
      best.fresh = Math.max(best.fresh, await requestsPerSecond({ ...target, isNew: true }));
    }
    figures.push(
      { what: `${what}: bare route`, value: best.bare, unit: 'requests/s' },
      { what: `${what}: platform`, value: best.platform, unit: 'requests/s' },
      { what: `${what}: platform to bare route`, value: best.platform / best.bare, unit: '', bound: { least: 0.5 } },
      { what: `${what}, new: platform`, value: best.fresh, unit: 'requests/s' },
      { what: `${what}, new: platform to bare route`, value: best.fresh / best.bare, unit: '' },
    );
  }
  return figures;
}

interface List<Item> {
  readonly count: number;
  readonly items: readonly Item[];
  readonly next?: { readonly page: string };
}

interface Page {
  readonly id: string;
  readonly type: string;
  readonly pages?: readonly Page[];
}

const spacesPath = async (asked: Platform): Promise<`/${string}`> => {
  const [organization] = asked.organizations;
  const members = await callApi<List<{ id: string }>>(asked, `GET /v1/orgs/${organization}/members`);
  return `/v1/orgs/${organization}/members/${members.items[0]?.id}/spaces`;
};

async function questionsTo(asked: Platform): Promise<(Question & { path: `/${string}` })[]> {
  const list: `/${string}` = `${await spacesPath(asked)}?limit=100`;
  const spaces = await callApi<List<{ space: { id: string } }>>(asked, `GET ${list}`);
  const content: `/${string}` = `/v1/spaces/${spaces.items[0]?.space.id}/content`;
  const tree = await callApi<{ pages: readonly Page[] }>(asked, `GET ${content}`);
  const leaf = documentsIn(tree.pages).find((page) => (page.pages ?? []).length === 0);
  return [
    { what: 'page of 4 KB', path: `${content}/page/${leaf?.id}?format=markdown` },
    { what: 'list of 100 spaces', path: list },
  ];
}

function documentsIn(pages: readonly Page[]): Page[] {
  return pages.flatMap((page) => [...(page.type === 'document' ? [page] : []), ...documentsIn(page.pages ?? [])]);
}

async function startBare(files: readonly string[]): Promise<{ url: string } & AsyncDisposable> {
  const child = spawn(process.execPath, ['--import', 'tsx', BARE, ...files], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()));
    child.once('exit', (code) => reject(new Error(`the bare route ended with ${code}`)));
  });
  return {
    url,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

async function seeding(): Promise<Figure[]> {
  const began = performance.now();
  await using seeded = await startPlatformProcess(['--seed', 'scale', '--spaces', '1000', '--pages', '20']);
  const seconds = (performance.now() - began) / 1000;
  const listed = await callApi<List<unknown>>(seeded, `GET ${await spacesPath(seeded)}?limit=1`);
  return [
    { what: 'scale seed of 1,000 spaces x 20 pages, in memory', value: seconds, unit: 's', bound: { most: 60 } },
    { what: 'spaces listed then', value: listed.count, unit: 'spaces', bound: { least: 1000 } },
  ];
}

const LARGE = { spaces: 1600, pages: 100 };

async function size(): Promise<Figure[]> {
  await using directory = await freshDirectory();
  const began = performance.now();
  const { spaces, pages } = LARGE;
  const seed = ['--seed', 'scale', '--spaces', String(spaces), '--pages', String(pages)];
  const large = await startPlatformProcess([...seed, '--data', directory.path]);
  const seeded = performance.now();
  const found = await countPages(large);
  const counted = performance.now();
  const peakMiB = await large.stop();
  return [
    { what: 'scale seed of 160,000 pages on disk', value: (seeded - began) / 1000, unit: 's' },
    { what: 'pages found in a full listing', value: found, unit: 'pages', bound: { least: spaces * pages } },
    { what: 'full listing', value: (counted - seeded) / 1000, unit: 's' },
    { what: 'peak memory of the platform over both', value: peakMiB, unit: 'MiB', bound: { most: 512 } },
  ];
}

async function countPages(asked: Platform): Promise<number> {
  const path = await spacesPath(asked);
  let found = 0;
  for (let token: string | undefined = ''; token !== undefined;) {
    const query: string = token === '' ? '' : `&page=${token}`;
    const list: List<{ space: { id: string } }> = await callApi(asked, `GET ${path}?limit=100${query}`);
    for (const { space } of list.items) {
      const tree = await callApi<{ pages: readonly Page[] }>(asked, `GET /v1/spaces/${space.id}/content/pages`);
      found += documentsIn(tree.pages).length;
    }
    token = list.next?.page;
  }
  return found;
}
