import { join } from 'node:path';
import { createCorpus, editSome, openCorpusMirror, writeNight } from './corpus.ts';
import { freshDirectory, runJson, type Benchmark, type Finished } from './harness.ts';

const PAGES = 160_000;
const NIGHTS = 1000;
const EDITS = 40;
const POLICY = ['--keep-daily', '10', '--keep-monthly', '11'];

/** What commands that read or rewrite all of a large mirror take, in time and memory. */
export const prune: Benchmark = {
  name: 'prune',
  about: `${PAGES} pages of 2 KB, ${NIGHTS} snapshots a day apart with ${EDITS} edited pages each; check, export of the first snapshot, and forgetting to 20 snapshots with prune, each a process of its own`,
  async run() {
    await using directory = await freshDirectory();
    const dataDir = join(directory.path, 'data');
    await build(dataDir);
    const environment = { DOCMIRROR_DATA_DIR: dataDir };
    const run = (args: readonly string[]): Promise<Finished> => runJson(args, environment);
    const fast = await run(['check']);
    const whole = await run(['check', '--read-data']);
    const exported = await run(['export', '--snapshot', '1', '--to', join(directory.path, 'tree')]);
    const forgotten = await runJson<Forgotten>(['forget', ...POLICY, '--prune'], environment);
    const left = forgotten.json.snapshots.filter(({ keep }) => keep).length;
    const after = await run(['check', '--read-data']);
    const memory = (what: string, { peakMiB }: Finished) => ({
      what,
      value: peakMiB,
      unit: 'MiB',
      bound: { most: 256 },
    });
    return [
      { what: 'forget and prune', value: forgotten.ms / 1000, unit: 's', bound: { most: 30 } },
      { what: 'snapshots left', value: left, unit: 'snapshots', bound: { least: 20, most: 20 } },
      { what: 'texts freed', value: forgotten.json.pruned.bodies, unit: 'texts' },
      { what: 'check', value: fast.ms / 1000, unit: 's' },
      { what: 'check --read-data', value: whole.ms / 1000, unit: 's' },
      { what: 'check --read-data afterwards', value: after.ms / 1000, unit: 's' },
      { what: 'export of the first snapshot', value: exported.ms / 1000, unit: 's' },
      memory('peak memory of forget and prune', forgotten),
      memory('peak memory of check --read-data', whole),
      memory('peak memory of export', exported),
    ];
  },
};

interface Forgotten {
  readonly snapshots: readonly { readonly keep: boolean }[];
  readonly pruned: { readonly bodies: number };
}

async function build(dataDir: string): Promise<void> {
  const corpus = createCorpus({ pages: PAGES, spaces: 400, bytes: 1900 });
  using mirror = await openCorpusMirror(corpus, dataDir);
  writeNight(mirror, corpus, corpus.texts.keys());
  for (let night = 1; night < NIGHTS; night++) writeNight(mirror, corpus, editSome(corpus, EDITS));
}
