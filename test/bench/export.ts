// An export as a whole, against the bare writing of the same files, and again when nothing or little has changed.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runJson, type Benchmark, type Figure, type Finished } from './harness.ts';
import { makeLargeMirror } from './large-mirror.ts';

const SPACES = Number(process.env['EXPORT_BENCH_SPACES'] ?? 125);
const PAGES_PER_SPACE = 160;
const CONCURRENCY = 16;
const BATCH = 4000;
const ROUNDS = 3;
// A file system in memory, on Linux.
const IN_MEMORY = '/dev/shm';

interface Exported {
  readonly written: number;
  readonly unchanged: number;
  readonly durationMs: number;
}

type Run = Finished & { json: Exported };
type Export = (snapshot: number, to: string) => Promise<Run>;

/** `docmirror export` in processes of its own. */
export const exporting: Benchmark = {
  name: 'export',
  about:
    `\`docmirror export\` of ${SPACES * PAGES_PER_SPACE} pages of 4 KB in ${SPACES} spaces (EXPORT_BENCH_SPACES sets them): first, ` +
    'unchanged, and with one page of a hundred edited; the peer writes the same files by `fs.promises.writeFile`, ' +
    `${CONCURRENCY} at a time, into folders that are there; the best of ${ROUNDS} rounds in turn, nothing being removed before the ` +
    'end; and both once more on a file system in memory, which has no past',
  async run(scratch) {
    const place = await scratch.directory();
    const dataDir = join(place, 'data');
    (await makeLargeMirror({ dataDir, spaces: SPACES, pagesPerSpace: PAGES_PER_SPACE, nights: 1 }))[Symbol.dispose]();
    const run: Export = (snapshot, to) =>
      runJson<Exported>(['export', '--snapshot', String(snapshot), '--to', to], { DOCMIRROR_DATA_DIR: dataDir });
    const onDisk = await inTurn(run, place);
    const inMemory = existsSync(IN_MEMORY) ? await inTurn(run, await scratch.directory(IN_MEMORY)) : null;
    const tree = join(place, 'tree-0');
    const night = await run(2, tree);
    const nightAgain = await run(2, tree);
    return [...figures({ ...onDisk, night, nightAgain }), ...(inMemory ? figuresInMemory(inMemory) : [])];
  },
};

interface Best {
  readonly first: Run;
  readonly unchanged: Run;
  /** Files per second of the peer. */
  readonly bare: number;
}

async function inTurn(run: Export, place: string): Promise<Best> {
  const runs: Run[] = [];
  const again: Run[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const tree = join(place, `tree-${round}`);
    runs.push(await run(1, tree));
    again.push(await run(1, tree));
    bare.push(await writeBare(tree, join(place, `bare-${round}`)));
  }
  return { first: fastest(runs), unchanged: fastest(again), bare: Math.max(...bare) };
}

function fastest(runs: readonly Run[]): Run {
  const [first] = runs.toSorted((a, b) => a.json.durationMs - b.json.durationMs);
  if (first === undefined) throw new Error('no round was run');
  return first;
}

function rateOf({ json }: Run): number {
  return json.written / (json.durationMs / 1000);
}

function figuresInMemory({ first, bare }: Best): Figure[] {
  return [
    { what: 'in memory: first export', value: rateOf(first), unit: 'files/s' },
    { what: 'in memory: bare writeFile', value: bare, unit: 'files/s' },
    { what: 'in memory: first export to bare writeFile', value: rateOf(first) / bare, unit: '' },
  ];
}

interface Measured extends Best {
  readonly night: Run;
  readonly nightAgain: Run;
}

function figures({ first, bare, unchanged, night, nightAgain }: Measured): Figure[] {
  const rate = rateOf(first);
  const memory = (what: string, { peakMiB }: Run): Figure => {
    return { what: `peak memory, ${what}`, value: peakMiB, unit: 'MiB', bound: { most: 256 } };
  };
  return [
    { what: 'files', value: first.json.written, unit: 'files' },
    { what: 'first export', value: first.json.durationMs / 1000, unit: 's' },
    { what: 'first export', value: rate, unit: 'files/s' },
    { what: 'bare writeFile', value: bare, unit: 'files/s' },
    {
      what: 'first export to bare writeFile',
      value: rate / bare,
      unit: '',
      bound: { least: 0.5 },
      shortfall: OF_THE_FILES,
    },
    { what: 'unchanged export', value: unchanged.json.durationMs / 1000, unit: 's' },
    {
      what: 'unchanged export to first',
      value: unchanged.json.durationMs / first.json.durationMs,
      unit: '',
      bound: { most: 0.1 },
      shortfall: OF_THE_UNCHANGED,
    },
    { what: 'files written when nothing changed', value: unchanged.json.written, unit: 'files', bound: { most: 0 } },
    { what: 'one page of a hundred edited', value: night.json.durationMs / 1000, unit: 's' },
    { what: 'files written then', value: night.json.written, unit: 'files' },
    memory('first export', first),
    memory('unchanged export', unchanged),
    memory('edited export', night),
    memory('unchanged export of the edited one', nightAgain),
  ];
}

const OF_THE_FILES =
  'making a file costs the system about 60 us of processor time, here and for the peer; our own part is about 50 us for each page ' +
  '(its read from the mirror, its links, its front matter, its row in the index), on the thread that the files are not written by. ' +
  'The peer has both cores for its 60 us. Next: spaces made on several threads.';
const OF_THE_UNCHANGED =
  'each file is looked at (stat), which takes 3 to 5 us; neither that nor the opening of the index becomes faster with the first export';

/** Files per second of writing the same bytes to the same names; the reading before it does not count. */
async function writeBare(tree: string, to: string): Promise<number> {
  const paths = readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(tree.length + 1));
  for (const folder of new Set(paths.map(dirname))) mkdirSync(join(to, folder), { recursive: true });
  let ms = 0;
  for (let start = 0; start < paths.length; start += BATCH) {
    const batch = paths.slice(start, start + BATCH).map((path) => [path, readFileSync(join(tree, path))] as const);
    const began = performance.now();
    let next = 0;
    const write = async (): Promise<void> => {
      for (let one = batch[next++]; one !== undefined; one = batch[next++]) await writeFile(join(to, one[0]), one[1]);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, write));
    ms += performance.now() - began;
  }
  return paths.length / (ms / 1000);
}
