import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { firstSpace, mergeEdit } from './edits.ts';
import { freshDirectory, runJson, startPlatformProcess, type Benchmark, type Figure } from './harness.ts';
import type { Sync } from './quiet-nights.ts';

const PAGES = 400;
const MERGES = 4;
const NIGHTS = 12;
const WORDS = 400;

/** What nights cost in which people merge change requests, each of which shows every page of its space. */
export const merges: Benchmark = {
  name: 'merges',
  about:
    `${NIGHTS} nights of one space of ${PAGES} pages of some 3 KB, each after ${MERGES} merged change requests that edit a page each: ` +
    'what the database grows by in a night (the mean), and how long the walk takes (the last one); then a first walk of the same into ' +
    'another mirror',
  async run() {
    const scale = ['--seed', 'scale', '--spaces', '1', '--pages', String(PAGES)];
    await using platform = await startPlatformProcess(scale);
    await using directory = await freshDirectory();
    const environment = { ...platform.environment, DOCMIRROR_DATA_DIR: directory.path };
    const { space, pages } = await firstSpace(platform);
    await runJson<Sync>(['sync'], environment);
    const before = await databaseSize(directory.path);
    const nights: Sync[] = [];
    for (let night = 0; night < NIGHTS; night++) {
      for (let merge = 0; merge < MERGES; merge++) {
        const number = night * MERGES + merge;
        const page = pages[(number * 37) % pages.length] ?? '';
        await mergeEdit(platform, { space, page, markdown: textOf(number) });
      }
      nights.push((await runJson<Sync>(['sync'], environment)).json);
    }
    const grown = (await databaseSize(directory.path)) - before;
    await using other = await freshDirectory();
    const first = await runJson<Sync>(['sync'], { ...environment, DOCMIRROR_DATA_DIR: other.path });
    return [...figuresOf(nights, grown), ...figuresOfFirst(first.json)];
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

// Each page once as a text and once as a tree.
const OF_SPACE = 2 * PAGES;

function figuresOfFirst({ requests, durationMs }: Sync): Figure[] {
  const ofMerge = (requests - OF_SPACE) / NIGHTS / MERGES;
  return [
    {
      what: 'first walk: requests per merge, beside those for the pages of the space',
      value: ofMerge,
      unit: 'requests',
      bound: { most: 6 },
    },
    { what: 'first walk', value: durationMs, unit: 'ms' },
  ];
}

function textOf(number: number): string {
  return Array.from({ length: WORDS }, (_, at) => `word${(number * 7919 + at * 104_729) % 5000}`).join(' ');
}

/** With what is not written back into it yet. */
async function databaseSize(folder: string): Promise<number> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('mirror.db'));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
