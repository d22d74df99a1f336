import { recipes as saved, runQuery } from '../../src/mirror/index.ts';
import { freshDirectory, type Benchmark, type Figure } from './harness.ts';
import { makeLargeMirror } from './large-mirror.ts';

const SIZE = { spaces: 1000, pagesPerSpace: 160, nights: 5 };
const LONGEST_MS = 1000;

interface Question {
  readonly what: string;
  readonly sql: string;
  readonly most?: number;
  readonly at?: number;
}

const asOf = (space: string): string => `select id, title, path from pages_history
where space = '${space}' and valid_from <= 3 and (valid_to is null or valid_to > 3) order by position`;
const pinned = (space: string): string =>
  `select id, title, path from pages where space = '${space}' order by position`;

/** Every saved report, and the pages of one space as of a snapshot. */
export const recipes: Benchmark = {
  name: 'recipes',
  about: `each recipe over ${SIZE.spaces * SIZE.pagesPerSpace} pages of 4 KB in ${SIZE.spaces} spaces, after ${SIZE.nights} nights with 1 % edited; warm file, second run`,
  async run() {
    await using directory = await freshDirectory();
    const mirror = await makeLargeMirror({ ...SIZE, dataDir: directory.path });
    mirror[Symbol.dispose]();
    const space = String(
      runQuery(directory.path, 'select id from spaces order by id limit 1 offset 500', null).rows[0]?.[0],
    );
    const query = ({ what, sql, most = LONGEST_MS, at }: Question): Figure => {
      const value = [1, 2].map(() => millisecondsOf(() => runQuery(directory.path, sql, at ?? null)));
      return { what, value: Math.min(...value), unit: 'ms', bound: { most } };
    };
    return [
      ...saved.map(({ name, sql }) => query({ what: name, sql })),
      query({ what: 'pages of one space as of a snapshot, plain SQL', sql: asOf(space), most: 50 }),
      query({ what: 'pages of one space as of a snapshot, --at', sql: pinned(space), most: 50, at: 3 }),
      query({ what: 'changes of one snapshot', sql: 'select change, kind, label from changes where snapshot = 3' }),
      query({ what: 'freshness', sql: 'select * from freshness' }),
    ];
  },
};

function millisecondsOf(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}
