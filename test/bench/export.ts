// An export as a whole, against the bare writing of the same files, and again when nothing or little has changed.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { freshDirectory, runJson, type Benchmark, type Figure, type Finished } from './harness.ts';
import { makeLargeMirror } from './large-mirror.ts';

const SPACES = Number(process.env['EXPORT_BENCH_SPACES'] ?? 125);
const PAGES_PER_SPACE = 160;
const CONCURRENCY = 16;
const BATCH = 4000;
const ROUNDS = 2;

interface Exported {
  readonly written: number;
  readonly unchanged: number;
  readonly durationMs: number;
}

type Run = Finished & { json: Exported };

/** `docmirror export` in processes of its own. */
export const exporting: Benchmark = {
  name: 'export',
  about: `\`docmirror export\` of ${SPACES * PAGES_PER_SPACE} pages of 4 KB in ${SPACES} spaces (EXPORT_BENCH_SPACES sets them): first, unchanged, and with one page of a hundred edited; the peer writes the same files by \`fs.promises.writeFile\`, ${CONCURRENCY} at a time, into folders that are there; the better of ${ROUNDS} rounds in turn`,
  async run() {
    await using directory = await freshDirectory();
    const dataDir = join(directory.path, 'data');
    (await makeLargeMirror({ dataDir, spaces: SPACES, pagesPerSpace: PAGES_PER_SPACE, nights: 1 }))[Symbol.dispose]();
    const tree = join(directory.path, 'tree');
    const run = (snapshot: number, to = tree): Promise<Run> =>
      runJson<Exported>(['export', '--snapshot', String(snapshot), '--to', to], { DOCMIRROR_DATA_DIR: dataDir });
    let first = await run(1);
    let bare = await writeBare(tree, join(directory.path, 'bare'));
    for (let round = 1; round < ROUNDS; round++) {
      const again = await run(1, join(directory.path, 'again'));
      if (again.json.durationMs < first.json.durationMs) first = again;
      bare = Math.max(bare, await writeBare(tree, join(directory.path, 'bare')));
      rmSync(join(directory.path, 'again'), { recursive: true });
    }
    const unchanged = await run(1);
    const night = await run(2);
    const nightAgain = await run(2);
    return figures({ first, bare, unchanged, night, nightAgain });
  },
};

interface Measured {
  readonly first: Run;
  /** Files per second of the peer. */
  readonly bare: number;
  readonly unchanged: Run;
  readonly night: Run;
  readonly nightAgain: Run;
}

function figures({ first, bare, unchanged, night, nightAgain }: Measured): Figure[] {
  const rate = first.json.written / (first.json.durationMs / 1000);
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
  'making a file costs the system about 60 us of processor time, here and for the peer; our own part is about 55 us for each page ' +
  '(two reads of it from the mirror, its links, its hash, its row in the index, the garbage collector), on the thread that the files ' +
  'are not written by. The peer has both cores for its 60 us, so 0.5 leaves 45 us of one core. Next: the body of a page read once for ' +
  'the names and the text, and spaces made on several threads.';

/** Files per second of writing the same bytes to the same names; the reading before it does not count. */
async function writeBare(tree: string, to: string): Promise<number> {
  rmSync(to, { recursive: true, force: true });
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
  rmSync(to, { recursive: true });
  return paths.length / (ms / 1000);
}
