import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCorpus, editSome, openCorpusMirror, writeNight } from './corpus.ts';
import { freshDirectory, runJson, type Benchmark, type Figure } from './harness.ts';
import { openPeer } from './peers.ts';

const PAGES = 20_000;
const NIGHTS = 10;

/** Reading everything that is kept, against restic, over the same texts. */
export const check: Benchmark = {
  name: 'check',
  about: `\`docmirror check --read-data\` and \`restic check --read-data\`, ${PAGES} pages of 4.6 KB, ${NIGHTS} nights with 1 % of them edited; bytes are those of the texts that were read`,
  async run() {
    await using directory = await freshDirectory();
    const corpus = createCorpus({ pages: PAGES, spaces: 20, bytes: 4400 });
    const tree = join(directory.path, 'tree');
    mkdirSync(tree);
    const dataDir = join(directory.path, 'data');
    const peer = await openPeer('restic', { tree, store: join(directory.path, 'restic') });
    let edited = [...corpus.texts.keys()];
    {
      using mirror = await openCorpusMirror(corpus, dataDir);
      for (let night = 0; night <= NIGHTS; night++) {
        for (const page of edited) writeFileSync(join(tree, `page-${page}.md`), corpus.texts[page] ?? '');
        writeNight(mirror, corpus, edited);
        peer?.backUp();
        edited = editSome(corpus, PAGES / 100);
      }
    }
    const mine = await runJson<{ bytesRead: number }>(['check', '--read-data'], { DOCMIRROR_DATA_DIR: dataDir });
    const own = mine.json.bytesRead / 1e6 / (mine.ms / 1000);
    const figures: Figure[] = [
      { what: 'docmirror', value: mine.ms / 1000, unit: 's' },
      { what: 'docmirror: texts read and compared', value: own, unit: 'MB/s' },
    ];
    if (peer === null) return figures;
    const began = performance.now();
    peer.check();
    const seconds = (performance.now() - began) / 1000;
    const opening = await peer.open();
    // What it holds: the first night's files whole, and each edited file whole again.
    const held = corpus.texts.reduce((sum, text) => sum + text.length, 0) * (1 + NIGHTS / 100);
    const other = held / 1e6 / seconds;
    return [
      ...figures,
      { what: 'restic', value: seconds, unit: 's' },
      { what: 'restic: of which to open its store', value: opening.ms / 1000, unit: 's' },
      { what: 'restic: files read and compared', value: other, unit: 'MB/s' },
      { what: 'speed against restic', value: own / other, unit: 'times', bound: { least: 1 } },
    ];
  },
};
