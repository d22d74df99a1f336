import { atOnce, silentLogger, systemClock } from '../../src/base/index.ts';
import { openSnapshot, sealSnapshot } from '../../src/mirror/index.ts';
import { noRuntimeState } from '../../src/status/index.ts';
import { createStatusApp } from '../../src/status/status-app.ts';
import { freshDirectory, type Benchmark, type Figure } from './harness.ts';
import { idOf, makeLargeMirror, pageIdOf } from './large-mirror.ts';

const SIZE = { spaces: 1000, pagesPerSpace: 160, nights: 3 };
const QUIET_NIGHTS = 1000;
const LONGEST_MS = 2000;
const NO_BRAKE = { deletedShare: 2, deletedCount: 1e9, rewrittenShare: 2, rewrittenCount: 1e9 };
const SPACE = idOf('s', 500);
const SHOWN = `/browse/spaces/${SPACE}`;

const PAGES = [
  ['status page', '/'],
  ['report, the first time after a snapshot', '/report'],
  ['report, again', '/report'],
  ['metrics', '/metrics'],
  ['browser: organizations and spaces', '/browse'],
  ['browser: one space as of a snapshot', `${SHOWN}?at=2`],
  ['browser: one page', `${SHOWN}/pages/${pageIdOf(SPACE, 0)}`],
  ['browser: what changed in one night', '/browse/changes?from=2&to=3'],
  ['browser: search for a word of every page', '/browse/search?q=the'],
  ['browser: search inside every text, for letters without spaces', `/browse/search?q=${encodeURIComponent('検索')}`],
] as const;

/** The pages of the status server over a large mirror with a long history. */
export const status: Benchmark = {
  name: 'status',
  about: `pages of the status server over ${SIZE.spaces * SIZE.pagesPerSpace} pages of 4 KB in ${SIZE.spaces} spaces, after ${SIZE.nights} nights with 1 % edited and ${QUIET_NIGHTS} more snapshots`,
  async run() {
    await using directory = await freshDirectory();
    {
      using mirror = await makeLargeMirror({ ...SIZE, dataDir: directory.path });
      for (let night = 0; night < QUIET_NIGHTS; night++) {
        const id = openSnapshot(mirror, { mode: 'incremental', scope: null, origin: 'http://platform.test' });
        atOnce(sealSnapshot({ mirror, id }, NO_BRAKE));
      }
    }
    const freshness = { snapshotMs: 1, drillMs: 1 };
    const base = { dataDir: directory.path, clock: systemClock(), log: silentLogger(), live: () => noRuntimeState };
    const app = createStatusApp({ ...base, freshness });
    const figures: Figure[] = [];
    for (const [what, path] of PAGES) {
      const started = performance.now();
      const answer = await app.request(path);
      const { length } = await answer.text();
      if (!answer.ok || length === 0) throw new Error(`${path} answered ${answer.status}`);
      figures.push({ what, value: performance.now() - started, unit: 'ms', bound: { most: LONGEST_MS } });
    }
    return figures;
  },
};
