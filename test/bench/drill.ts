import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startChild } from './children.ts';
import {
  freshDirectory,
  runJson,
  startPlatformProcess,
  type Benchmark,
  type Figure,
  type Finished,
} from './harness.ts';

const SPACES = 1000;
const PAGES = 20;
const PAGES_OF_ONE = 19_999;
const FILES = 3;
const FILE_MIB = 300;
const MOST_SECONDS = 300;
const MOST_MIB = 512;

interface Drilled {
  readonly passed: boolean;
  readonly requests: number;
  readonly durationMs: number;
  readonly fidelity: { readonly exact: { readonly fields: number; readonly equal: number } };
  readonly brokenLinks: { readonly before: number; readonly after: number };
}

type Measured = Finished & { readonly json: Drilled };

/** A restore of everything, rehearsed: the embedded platform that it is rehearsed in lives in the same process. */
export const drill: Benchmark = {
  name: 'drill',
  about:
    `\`docmirror drill\` of ${SPACES} spaces x ${PAGES} pages: plan, apply, walk of what was restored, comparison; the platform that it ` +
    `goes into is part of the measured process; then of one space of ${PAGES_OF_ONE} pages, and of one with ${FILES} files of ` +
    `${FILE_MIB} MiB`,
  async run() {
    const files = await ofFiles();
    const largest = await ofScale(1, PAGES_OF_ONE);
    return [
      ...figuresOf(await ofScale(SPACES, PAGES)),
      { what: `one space of ${PAGES_OF_ONE} pages: drill`, value: largest.ms / 1000, unit: 's' },
      peakOf(`one space of ${PAGES_OF_ONE} pages: peak memory`, largest),
      { what: `${FILES} files of ${FILE_MIB} MiB: drill`, value: files.ms / 1000, unit: 's' },
      peakOf(`${FILES} files of ${FILE_MIB} MiB: peak memory`, files),
    ];
  },
};

function figuresOf(drilled: Measured): Figure[] {
  const { fidelity, brokenLinks, requests } = drilled.json;
  const { fields, equal } = fidelity.exact;
  return [
    { what: 'drill', value: drilled.ms / 1000, unit: 's', bound: { most: MOST_SECONDS } },
    peakOf('peak memory', drilled),
    { what: 'requests', value: requests, unit: 'requests' },
    { what: 'exact fields that came back equal', value: (100 * equal) / fields, unit: '%', bound: { least: 100 } },
    {
      what: 'links newly broken',
      value: Math.max(0, brokenLinks.after - brokenLinks.before),
      unit: 'links',
      bound: { most: 0 },
    },
  ];
}

function peakOf(what: string, { peakMiB }: Measured): Figure {
  return { what, value: peakMiB, unit: 'MiB', bound: { most: MOST_MIB } };
}

function ofScale(spaces: number, pages: number): Promise<Measured> {
  const args = ['--seed', 'scale', '--spaces', String(spaces), '--pages', String(pages)];
  return drillOf(() => startPlatformProcess(args));
}

function ofFiles(): Promise<Measured> {
  const open = async (): Promise<Source> => {
    const server = await startChild('memory-server.ts', [1, 1, 4096, 0, FILES, FILE_MIB]);
    const environment = { DOCMIRROR_BASE_URL: server.url, DOCMIRROR_TOKEN: 'none' };
    return { environment, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  };
  return drillOf(open, { documents: false });
}

type Source = AsyncDisposable & { readonly environment: Readonly<Record<string, string>> };

/** Of what the source has, which is gone by then. */
async function drillOf(open: () => Promise<Source>, { documents = true } = {}): Promise<Measured> {
  await using directory = await freshDirectory();
  const config = join(directory.path, 'docmirror.yaml');
  // A server that only answers from memory has no document trees.
  await writeFile(config, `export:\n  enabled: false\nwalk:\n  documents: ${documents}\n`);
  const settings = { DOCMIRROR_CONFIG: config, DOCMIRROR_DATA_DIR: join(directory.path, 'data') };
  {
    await using source = await open();
    await runJson(['sync'], { ...source.environment, ...settings });
  }
  return await runJson<Drilled>(['drill'], settings);
}
