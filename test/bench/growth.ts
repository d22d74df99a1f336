import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bytesInUse } from '../support/state.ts';
import { createCorpus, editSome, openCorpusMirror, writeNight, type Corpus } from './corpus.ts';
import { freshDirectory, type Benchmark, type Figure } from './harness.ts';
import { openPeer } from './peers.ts';

const PAGES = 20_000;
const NIGHTS = 30;
const EDITS = PAGES / 100;

interface Grown {
  readonly name: string;
  readonly first: number;
  readonly perNight: number;
  readonly firstSeconds: number;
  readonly secondsPerNight: number;
}

/** What thirty nights of small edits cost, in time and on disk. */
export const growth: Benchmark = {
  name: 'growth',
  about: `${PAGES} pages of 4.6 KB in 20 spaces, ${NIGHTS} nights, 1 % of the pages edited by a few words each: a mirror with its index and metadata, against restic, borg and git (gc every night) over the texts alone as files`,
  async run() {
    await using directory = await freshDirectory();
    const corpus = createCorpus({ pages: PAGES, spaces: 20, bytes: 4400 });
    const tree = join(directory.path, 'tree');
    writeTree(tree, corpus, corpus.texts.keys());
    const opened = await Promise.all(
      (['restic', 'borg', 'git'] as const).map((name) => openPeer(name, { tree, store: join(directory.path, name) })),
    );
    const peers = opened.filter((peer) => peer !== null);
    using mirror = await openCorpusMirror(corpus, join(directory.path, 'mirror'));
    const mine = {
      name: 'docmirror',
      size: () => bytesInUse(mirror),
      backUp: () => writeNight(mirror, corpus, edited),
    };
    let edited: Iterable<number> = corpus.texts.keys();
    const all = [mine, ...peers];
    const first = all.map((one) => ({ seconds: secondsOf(() => one.backUp()), size: one.size() }));
    const seconds = all.map(() => 0);
    for (let night = 0; night < NIGHTS; night++) {
      edited = editSome(corpus, EDITS);
      writeTree(tree, corpus, edited);
      for (const [index, one] of all.entries()) seconds[index] = (seconds[index] ?? 0) + secondsOf(() => one.backUp());
    }
    return figures(
      all.map((one, index) => ({
        name: one.name,
        first: first[index]?.size ?? 0,
        firstSeconds: first[index]?.seconds ?? 0,
        perNight: (one.size() - (first[index]?.size ?? 0)) / NIGHTS,
        secondsPerNight: (seconds[index] ?? 0) / NIGHTS,
      })),
    );
  },
};

function figures(grown: readonly Grown[]): Figure[] {
  const of = (name: string): Grown | undefined => grown.find((one) => one.name === name);
  const [mine, restic, borg, git] = [of('docmirror'), of('restic'), of('borg'), of('git')];
  const ratio = (what: string, most: number | null, [own, peer]: [number | undefined, number | undefined]): Figure[] =>
    own === undefined || peer === undefined
      ? []
      : [{ what, value: own / peer, unit: 'times', ...(most === null ? {} : { bound: { most } }) }];
  return [
    ...grown.flatMap(({ name, first, perNight, firstSeconds, secondsPerNight }): Figure[] => [
      { what: `${name}: first size`, value: first / 1e6, unit: 'MB' },
      { what: `${name}: first`, value: firstSeconds, unit: 's' },
      { what: `${name}: growth per night`, value: perNight / 1000, unit: 'KB' },
      { what: `${name}: night`, value: secondsPerNight, unit: 's' },
    ]),
    ...ratio('growth against restic', 0.1, [mine?.perNight, restic?.perNight]),
    ...ratio('growth against borg', 0.1, [mine?.perNight, borg?.perNight]),
    ...ratio('growth against git', 1, [mine?.perNight, git?.perNight]),
    ...ratio('night against restic', 1, [mine?.secondsPerNight, restic?.secondsPerNight]),
    ...ratio('night against borg', 0.4, [mine?.secondsPerNight, borg?.secondsPerNight]),
    ...ratio('first size against restic, which compresses all', null, [mine?.first, restic?.first]),
  ];
}

function writeTree(tree: string, corpus: Corpus, pages: Iterable<number>): void {
  for (const page of pages) {
    const path = join(tree, `space-${page % corpus.spaces}`, `page-${page}.md`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, corpus.texts[page] ?? '');
  }
}

function secondsOf(work: () => void): number {
  const began = performance.now();
  work();
  return (performance.now() - began) / 1000;
}
