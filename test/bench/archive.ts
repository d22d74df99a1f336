import { statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createCorpus, editSome, openCorpusMirror, writeNight } from './corpus.ts';
import { runJson, type Benchmark, type Figure, type Finished } from './harness.ts';
import { folderSize, openPeer, type Peer } from './peers.ts';

const SIZES = (process.env['ARCHIVE_BENCH_PAGES'] ?? '20000,160000').split(',').map(Number);
const PAGES_PER_SPACE = 160;
const NIGHTS = 30;
const ROUNDS = 3;
// What an export knows about itself: as large as its rows happened to come.
const INDEX = '.docmirror-index.db';

/** Brings a whole archive back to disk. */
interface Restorer {
  readonly name: string;
  restore(folder: string): Promise<Finished>;
  /** Bytes of what it writes the same each time. */
  restored(folder: string): number;
}

/** A full restore of the archive to disk, in processes of its own. */
export const archive: Benchmark = {
  name: 'archive',
  about:
    `all of an archive back to disk, ${SIZES.join(' and ')} pages of 4 KB (ARCHIVE_BENCH_PAGES sets them): \`docmirror export\` of the ` +
    `first of ${NIGHTS + 1} snapshots with 1 % of the pages edited from each to the next, beside \`restic restore\`, \`borg extract\` and ` +
    '`git checkout-index` of the tree that it writes; every file new in a fresh folder, the page cache warm, start-up and opening ' +
    `counted; the best time of ${ROUNDS} rounds in turn and the largest peak memory. None of the four waits for the disk (fsync) after ` +
    'each file: docmirror does about ten times for its lists and the folder, borg twice for what is its own, restic and git never',
  async run(scratch) {
    const figures: Figure[] = [];
    for (const pages of SIZES) figures.push(...(await measure(pages, await scratch.directory())));
    return figures;
  },
};

async function measure(pages: number, place: string): Promise<Figure[]> {
  const dataDir = join(place, 'data');
  await build(pages, dataDir);
  const mine: Restorer = {
    name: 'docmirror',
    restore: (folder) => runJson(['export', '--snapshot', '1', '--to', folder], { DOCMIRROR_DATA_DIR: dataDir }),
    restored: (folder) => folderSize(folder) - statSync(join(folder, INDEX)).size,
  };
  const tree = join(place, 'tree');
  await mine.restore(tree);
  const peers = await openPeers(place, tree);
  for (const peer of peers) peer.backUp();
  const theirs = peers.map((peer): Restorer => ({ ...peer, restored: folderSize }));
  const [own, ...others] = await inTurn([mine, ...theirs], { place, tree });
  if (own === undefined) return [];
  const prefix = `${pages} pages: `;
  return [
    { what: `${prefix}tree`, value: folderSize(tree) / 1e6, unit: 'MB' },
    ...[own, ...others].flatMap((one) => rows(prefix, one)),
    ...(await openings(prefix, peers)),
    ...others.flatMap((other) => ratios(prefix, own, other)),
  ];
}

async function build(pages: number, dataDir: string): Promise<void> {
  const corpus = createCorpus({ pages, spaces: Math.ceil(pages / PAGES_PER_SPACE), bytes: 4096 });
  using mirror = await openCorpusMirror(corpus, dataDir);
  writeNight(mirror, corpus, corpus.texts.keys());
  for (let night = 0; night < NIGHTS; night++) writeNight(mirror, corpus, editSome(corpus, pages / 100));
}

async function openPeers(place: string, tree: string): Promise<Peer[]> {
  const opened = await Promise.all(
    (['restic', 'borg', 'git'] as const).map((name) => openPeer(name, { tree, store: join(place, name) })),
  );
  return opened.filter((peer) => peer !== null);
}

interface Restoring {
  readonly place: string;
  /** What the peers have backed up. */
  readonly tree: string;
}

interface Best {
  readonly name: string;
  readonly seconds: number;
  readonly peakMiB: number;
}

/** Nothing is removed before all have ended: a file system that has removed much writes slowly for a while. */
async function inTurn(all: readonly Restorer[], { place, tree }: Restoring): Promise<Best[]> {
  const best = all.map(({ name }) => ({ name, seconds: Infinity, peakMiB: 0 }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, one] of all.entries()) {
      const { name } = one;
      const folder = join(place, `${name}-${round}`);
      if (name !== 'docmirror') await mkdir(folder);
      const { ms, peakMiB } = await one.restore(folder);
      const [written, whole] = [one.restored(folder), one.restored(tree)];
      if (written !== whole) throw new Error(`${name} restored ${written} bytes of ${whole}`);
      const before = best[index];
      if (before === undefined) continue;
      const seconds = Math.min(before.seconds, ms / 1000);
      best[index] = { name, seconds, peakMiB: Math.max(before.peakMiB, peakMiB) };
    }
  }
  return best;
}

function rows(prefix: string, { name, seconds, peakMiB }: Best): Figure[] {
  return [
    { what: `${prefix}${name}`, value: seconds, unit: 's' },
    { what: `${prefix}${name}: peak memory`, value: peakMiB, unit: 'MiB' },
  ];
}

async function openings(prefix: string, peers: readonly Peer[]): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const peer of peers) {
    const { ms } = await peer.open();
    figures.push({ what: `${prefix}${peer.name}: of which to open its store`, value: ms / 1000, unit: 's' });
  }
  return figures;
}

const OF_THE_TIME =
  'restic makes the files on all cores and has nothing to make of them; here each text is read, its links are led to the places of ' +
  'others, and it is hashed and noted, on one thread, while another makes the files. Next: spaces made on several threads.';
const OF_THE_MEMORY =
  'Node.js with what an export loads takes about 100 MiB before the first page, more than restic for all of a small archive; what ' +
  'grows with the archive grows less here. The young generation of the heap is some 30 MiB of the rest, and a flag of Node.js alone ' +
  'makes it smaller: with --max-semi-space-size=8 an export of 160,000 pages took 20 MiB less in the same time. Next: a start of the ' +
  'program that gives that flag on every system.';

/** The promise is against restic; the others say how far it reaches. */
function ratios(prefix: string, own: Best, other: Best): Figure[] {
  const bound = other.name === 'restic' ? { bound: { most: 1 } } : {};
  const time = { what: `${prefix}time against ${other.name}`, value: own.seconds / other.seconds, unit: 'times' };
  const memory = { what: `${prefix}memory against ${other.name}`, value: own.peakMiB / other.peakMiB, unit: 'times' };
  return [
    { ...time, ...bound, shortfall: OF_THE_TIME },
    { ...memory, ...bound, shortfall: OF_THE_MEMORY },
  ];
}
