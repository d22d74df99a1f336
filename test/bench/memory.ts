import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startChild } from './children.ts';
import { giantPages } from './giant-pages.ts';
import { freshDirectory, runJson, type Benchmark, type Figure, type Finished } from './harness.ts';

const SIZES = (process.env['MEMORY_BENCH_PAGES'] ?? '1000,10000,40000,160000').split(',').map(Number);
const PAGES_PER_SPACE = 200;
const GROUPS = 110_000;
const FILES = 40;
const FILE_MIB = 256;
const MOST_MIB = 256;

interface Sync {
  readonly state: string;
  readonly durationMs: number;
  readonly bytes: number;
}

/** Peak memory of the walking process, whatever the size of what it walks. */
export const memory: Benchmark = {
  name: 'memory',
  about:
    `peak resident memory of docmirror, against a server that only answers from memory: ${SIZES.join(', ')} pages of 4 KB (MEMORY_BENCH_PAGES sets them), ` +
    `a space whose revision is one answer of about 50 MB, and ${FILES} files of ${FILE_MIB} MiB; then, against the embedded platform and with ` +
    'document trees, one page of an unusual size',
  async run() {
    return [...(await manyPages()), ...(await largeRevision()), ...(await largeFiles()), ...(await giantPages(peak))];
  },
};

function peak(what: string, { peakMiB }: Finished): Figure {
  return { what, value: peakMiB, unit: 'MiB', bound: { most: MOST_MIB } };
}

async function manyPages(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const pages of SIZES) figures.push(...(await ofPages(pages)));
  return figures;
}

function ofPages(pages: number): Promise<Figure[]> {
  const spaces = Math.ceil(pages / PAGES_PER_SPACE);
  return afterFirstWalk([spaces, PAGES_PER_SPACE, 4096], async ({ first, run }) => [
    peak(`${pages} pages: first walk`, first),
    peak(`${pages} pages: unchanged walk`, await run('sync')),
    peak(`${pages} pages: check --read-data`, await run('check', '--read-data')),
    { what: `${pages} pages: first walk`, value: pages / (first.json.durationMs / 1000), unit: 'pages/s' },
  ]);
}

function largeRevision(): Promise<Figure[]> {
  return afterFirstWalk([1, 1, 4096, GROUPS], async ({ first, run }) => [
    { what: 'walk whose one revision is large', value: first.json.bytes / 1e6, unit: 'MB' },
    peak('walk of a large revision', first),
    peak('the same, everything read again', await run('sync', '--full')),
  ]);
}

function largeFiles(): Promise<Figure[]> {
  return afterFirstWalk([1, 1, 4096, 0, FILES, FILE_MIB], ({ first }) =>
    Promise.resolve([
      { what: 'files brought', value: first.json.bytes / 1e9, unit: 'GB' },
      peak('walk of large files', first),
      { what: 'files', value: first.json.bytes / 1e6 / (first.json.durationMs / 1000), unit: 'MB/s' },
    ]),
  );
}

interface Walked {
  readonly first: Finished & { json: Sync };
  readonly run: (...args: string[]) => Promise<Finished>;
}

async function afterFirstWalk(
  size: readonly number[],
  measure: (walked: Walked) => Promise<Figure[]>,
): Promise<Figure[]> {
  await using server = await startChild('memory-server.ts', size);
  await using directory = await freshDirectory();
  const config = join(directory.path, 'docmirror.yaml');
  await writeFile(config, 'limits:\n  concurrency: 16\nwalk:\n  documents: false\nexport:\n  enabled: false\n');
  const environment = {
    DOCMIRROR_BASE_URL: server.url,
    DOCMIRROR_TOKEN: 'none',
    DOCMIRROR_CONFIG: config,
    DOCMIRROR_DATA_DIR: join(directory.path, 'data'),
  };
  const first = await runJson<Sync>(['sync'], environment);
  if (first.json.state !== 'complete') throw new Error(`the walk is ${first.json.state}`);
  return await measure({ first, run: (...args) => runJson(args, environment) });
}
