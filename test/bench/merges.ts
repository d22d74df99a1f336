import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sync } from './quiet-nights.ts';
import {
  callApi,
  freshDirectory,
  runJson,
  startPlatformProcess,
  type Benchmark,
  type Figure,
  type Platform,
} from './harness.ts';

const PAGES = 400;
const MERGES = 4;
const NIGHTS = 12;
const WORDS = 400;

/** What nights cost in which people merge change requests, each of which shows every page of its space. */
export const merges: Benchmark = {
  name: 'merges',
  about:
    `${NIGHTS} nights of one space of ${PAGES} pages of some 3 KB, each after ${MERGES} merged change requests that edit a page each: ` +
    'what the database grows by in a night (the mean), and how long the walk takes (the last one)',
  async run() {
    const scale = ['--seed', 'scale', '--spaces', '1', '--pages', String(PAGES)];
    await using platform = await startPlatformProcess(scale);
    await using directory = await freshDirectory();
    const environment = { ...platform.environment, DOCMIRROR_DATA_DIR: directory.path };
    const { space, pages } = await onlySpace(platform);
    await runJson<Sync>(['sync'], environment);
    const before = await databaseSize(directory.path);
    const nights: Sync[] = [];
    for (let night = 0; night < NIGHTS; night++) {
      for (let merge = 0; merge < MERGES; merge++) {
        const number = night * MERGES + merge;
        await mergeEdit(platform, { space, page: pages[(number * 37) % pages.length] ?? '', number });
      }
      nights.push((await runJson<Sync>(['sync'], environment)).json);
    }
    const grown = (await databaseSize(directory.path)) - before;
    return figuresOf(nights, grown);
  },
};

function figuresOf(nights: readonly Sync[], grown: number): Figure[] {
  const last = nights.at(-1);
  return [
    { what: 'growth per night', value: grown / NIGHTS / 1024, unit: 'KiB' },
    { what: 'growth per merge', value: grown / NIGHTS / MERGES / 1024, unit: 'KiB', bound: { most: 64 } },
    { what: 'requests of a night', value: last?.requests ?? NaN, unit: 'requests' },
    { what: 'walk of the last night', value: last?.durationMs ?? NaN, unit: 'ms' },
  ];
}

interface OnlySpace {
  readonly space: string;
  readonly pages: readonly string[];
}

async function onlySpace(platform: Platform): Promise<OnlySpace> {
  const [organization] = platform.organizations;
  const members = await callApi<{ items: { id: string }[] }>(platform, `GET /v1/orgs/${organization}/members`);
  const seen = await callApi<{ items: { space: { id: string } }[] }>(
    platform,
    `GET /v1/orgs/${organization}/members/${members.items[0]?.id}/spaces`,
  );
  const space = seen.items[0]?.space.id ?? '';
  const tree = await callApi<{ pages: Page[] }>(platform, `GET /v1/spaces/${space}/content`);
  return { space, pages: [...documentsIn(tree.pages)] };
}

interface Page {
  readonly id: string;
  readonly type: string;
  readonly pages?: readonly Page[];
}

function* documentsIn(pages: readonly Page[]): Generator<string> {
  for (const page of pages) {
    if (page.type === 'document') yield page.id;
    yield* documentsIn(page.pages ?? []);
  }
}

interface Edit {
  readonly space: string;
  readonly page: string;
  readonly number: number;
}

async function mergeEdit(platform: Platform, { space, page, number }: Edit): Promise<void> {
  const path = `/v1/spaces/${space}/change-requests` as const;
  const { id } = await callApi<{ id: string }>(platform, `POST ${path}`, { subject: `Edit ${number}` });
  const words = Array.from({ length: WORDS }, (_, at) => `word${(number * 7919 + at * 104_729) % 5000}`);
  const changes = [{ type: 'update_page', page, document: { markdown: words.join(' ') } }];
  await callApi(platform, `POST ${path}/${id}/content`, { changes });
  await callApi(platform, `POST ${path}/${id}/merge`);
}

/** With what is not written back into it yet. */
async function databaseSize(folder: string): Promise<number> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('mirror.db'));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
