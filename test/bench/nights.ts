import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/base/index.ts';
import {
  countKind,
  countsOf,
  currentOf,
  heldOf,
  lastSealed,
  move,
  openMirror,
  openSnapshot,
  sealSnapshot,
} from '../../src/mirror/index.ts';
import {
  callApi,
  freshDirectory,
  runJson,
  startPlatformProcess,
  type Benchmark,
  type Figure,
  type Platform,
} from './harness.ts';

interface Sync {
  readonly requests: number;
  readonly durationMs: number;
  readonly state: string;
  readonly kinds: Readonly<Record<string, { seen: number; added: number; changed: number }>>;
}

/** What a night costs when nothing changed, and when one page did. */
export const nights: Benchmark = {
  name: 'nights',
  about: 'first walk, unchanged night, night with one edited page: demo platform in a process of its own',
  async run() {
    await using platform = await startPlatformProcess(['--seed', 'demo']);
    await using directory = await freshDirectory();
    const environment = { ...platform.environment, DOCMIRROR_DATA_DIR: directory.path };
    const first = await runJson<Sync>(['sync'], environment);
    const second = await runJson<Sync>(['sync'], environment);
    await editOnePage(platform);
    const third = await runJson<Sync>(['sync'], environment);
    const spaces = first.json.kinds['space']?.seen ?? 0;
    const versions = third.json.kinds['page'];
    return [
      ...(await scaleNights()),
      { what: 'first walk', value: first.json.durationMs, unit: 'ms' },
      { what: 'first walk', value: first.json.requests, unit: 'requests' },
      { what: 'unchanged night', value: second.json.durationMs, unit: 'ms' },
      { what: 'unchanged night', value: second.json.requests / spaces, unit: 'requests per space', bound: { most: 7 } },
      {
        what: 'one page edited',
        value: (versions?.added ?? 0) + (versions?.changed ?? 0),
        unit: 'page versions',
        bound: { least: 1, most: 1 },
      },
    ];
  },
};

const SPACES = 1000;
const ROTA = 7;
const EARLIER = 1000;

/** Nights of 1,000 spaces x 20 pages in which nothing changes, over one turn of the rota, and again after many snapshots. */
async function scaleNights(): Promise<Figure[]> {
  await using platform = await startPlatformProcess(['--seed', 'scale', '--spaces', String(SPACES), '--pages', '20']);
  await using directory = await freshDirectory();
  const config = join(directory.path, 'docmirror.yaml');
  await writeFile(config, 'export:\n  enabled: false\n');
  const data = join(directory.path, 'data');
  const environment = { ...platform.environment, DOCMIRROR_CONFIG: config, DOCMIRROR_DATA_DIR: data };
  const night = async (): Promise<Sync> => (await runJson<Sync>(['sync'], environment)).json;
  await night();
  const early = await nightsOf(night);
  await addSnapshots(data);
  const late = await nightsOf(night);
  const most = Math.max(...early.map(({ requests }) => requests));
  const ms = (all: readonly Sync[]): number => Math.min(...all.map(({ durationMs }) => durationMs));
  const sum = early.reduce((total, { requests }) => total + requests, 0);
  return [
    { what: 'scale: unchanged night', value: sum / ROTA / SPACES, unit: 'requests per space', bound: { most: 1.3 } },
    { what: 'scale: unchanged night, the busiest', value: most / SPACES, unit: 'requests per space' },
    { what: 'scale: unchanged night', value: ms(early), unit: 'ms', bound: { most: 15_000 } },
    {
      what: `scale: the same after ${EARLIER} earlier snapshots, to before`,
      value: ms(late) / ms(early),
      unit: '',
      bound: { most: 1.05 },
    },
  ];
}

async function nightsOf(night: () => Promise<Sync>): Promise<Sync[]> {
  const all: Sync[] = [];
  for (let turn = 0; turn < ROTA; turn++) all.push(await night());
  return all;
}

/** So many nights more, in each of which one page moved and was moved back the next time; the rota goes on from there. */
async function addSnapshots(dataDir: string): Promise<void> {
  using mirror = await openMirror({ dataDir, clock: systemClock() });
  const origin = lastSealed(mirror)?.origin ?? '';
  const counts = Object.entries(countsOf(mirror, lastSealed(mirror)?.id ?? 0));
  const [page] = heldOf(mirror, 'page');
  mirror.store.transaction(() => {
    for (let number = 0; number < EARLIER; number++) {
      const id = openSnapshot(mirror, { mode: 'incremental', scope: null, origin });
      for (const [kind, count] of counts) countKind({ mirror, id }, kind, count);
      const known = page && currentOf(mirror, 'page', page.key);
      if (known) move({ mirror, id }, known, { parent: known.parent, position: (known.position ?? 0) === 0 ? 1 : 0 });
      sealSnapshot(mirror, id, { deletedShare: 1, deletedCount: 1e9, rewrittenShare: 1, rewrittenCount: 1e9 });
    }
    mirror.store.driver.exec(`update reads set snapshot = snapshot + ${EARLIER}`);
  });
}

async function editOnePage(platform: Platform): Promise<void> {
  interface List {
    readonly items: { readonly id: string }[];
  }
  interface Tree {
    readonly pages: { readonly id: string; readonly type: string; readonly pages?: Tree['pages'] }[];
  }
  const [organization] = platform.organizations;
  const members = await callApi<List>(platform, `GET /v1/orgs/${organization}/members`);
  const seen = await callApi<{ items: { space: { id: string } }[] }>(
    platform,
    `GET /v1/orgs/${organization}/members/${members.items[0]?.id}/spaces`,
  );
  const space = seen.items[0]?.space.id ?? '';
  const tree = await callApi<Tree>(platform, `GET /v1/spaces/${space}/content`);
  const documents = tree.pages
    .flatMap((page) => [page, ...(page.pages ?? [])])
    .filter((page) => page.type === 'document');
  const request = await callApi<{ id: string }>(platform, `POST /v1/spaces/${space}/change-requests`, {
    subject: 'One edit',
  });
  const changes = [
    { type: 'update_page', page: documents[0]?.id, document: { markdown: 'Edited by the benchmark.\n' } },
  ];
  await callApi(platform, `POST /v1/spaces/${space}/change-requests/${request.id}/content`, { changes });
  await callApi(platform, `POST /v1/spaces/${space}/change-requests/${request.id}/merge`);
}
