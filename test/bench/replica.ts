import { runQuery } from '../../src/mirror/index.ts';
import { BESIDE, besideBareRoute, type Question } from './beside-bare-route.ts';
import { freshDirectory, start, type Benchmark, type Figure } from './harness.ts';
import { makeLargeMirror } from './large-mirror.ts';

const SPACES = Number(process.env['REPLICA_BENCH_SPACES'] ?? 1000);
const PAGES_PER_SPACE = 160;
const NIGHTS = 3;
const OLD = 1;
const TOKEN = 'replica-of-the-benchmark';

/** How fast the mirror answers in the platform's place. */
export const replica: Benchmark = {
  name: 'replica',
  about: `\`docmirror serve\` over ${SPACES * PAGES_PER_SPACE} pages of 4 KB in ${SPACES} spaces (REPLICA_BENCH_SPACES sets them), after ${NIGHTS} nights with 1 % edited: requests per second ${BESIDE}; "old" is a page that was edited since, and its text then`,
  async run() {
    await using directory = await freshDirectory();
    const size = { spaces: SPACES, pagesPerSpace: PAGES_PER_SPACE, nights: NIGHTS };
    (await makeLargeMirror({ ...size, dataDir: directory.path }))[Symbol.dispose]();
    const questions = questionsOf(directory.path);
    const serving = start(['serve', '--json'], {
      DOCMIRROR_DATA_DIR: directory.path,
      DOCMIRROR_STATUS_PORT: '0',
      DOCMIRROR_REPLICA_TOKEN: TOKEN,
    });
    const text = await serving.until(/"url":\s*"[^"]+"/);
    const url = (/"url":\s*"([^"]+)"/.exec(text)?.[1] ?? '').replace(/\/$/, '');
    let figures: Figure[];
    try {
      figures = await besideBareRoute({ name: 'replica', server: { url, token: TOKEN }, questions });
    } finally {
      serving.child.kill('SIGTERM');
    }
    const { peakMiB } = await serving.finished;
    return [...figures, { what: 'peak memory of the replica', value: peakMiB, unit: 'MiB', bound: { most: 256 } }];
  },
};

/** A page whose text was edited after the old snapshot, and the spaces of one member. */
function questionsOf(dataDir: string): Question[] {
  const one = (sql: string): string => String(runQuery(dataDir, sql, null).rows[0]?.[0]);
  const edited = `from pages_history where valid_from > ${OLD} order by id limit 1`;
  const [space, page] = [one(`select space ${edited}`), one(`select id ${edited}`)];
  const path: `/${string}` = `/v1/spaces/${space}/content/page/${page}?format=markdown`;
  const list: `/${string}` = `/v1/orgs/org/members/${one('select id from members order by id limit 1')}/spaces?limit=100`;
  return [
    { what: 'page of 4 KB', path },
    { what: 'page of 4 KB, old', path: `${path}&at=${OLD}` },
    { what: 'list of 100 spaces', path: list },
    { what: 'list of 100 spaces, old', path: `${list}&at=${OLD}` },
  ];
}
