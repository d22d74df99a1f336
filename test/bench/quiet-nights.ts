// Nights in which nothing changed, by number of spaces.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atOnce, systemClock } from '../../src/base/index.ts';
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
import { freshDirectory, runJson, startPlatformProcess, type Figure, type Finished } from './harness.ts';

export interface Sync {
  readonly requests: number;
  readonly durationMs: number;
  readonly state: string;
  readonly kinds: Readonly<Record<string, { seen: number; added: number; changed: number }>>;
}

export const SIZES = (process.env['NIGHTS_BENCH_SPACES'] ?? '100,1000,10000').split(',').map(Number);
const PAGES = 20;
const ROTA = 7;
const MOST_PER_SPACE = 1.3;
const MOST_MIB = 256;
/** The size for which a time is promised, and which is measured again after many more snapshots. */
const PROMISED = { spaces: 1000, ms: 15_000 };
const EARLIER = 1000;

type Night = Finished & { json: Sync };

export async function quietNights(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const spaces of SIZES) figures.push(...(await nightsOfSize(spaces)));
  return figures;
}

async function nightsOfSize(spaces: number): Promise<Figure[]> {
  await using directory = await freshDirectory();
  const kept = join(directory.path, 'platform');
  const scale = ['--seed', 'scale', '--spaces', String(spaces), '--pages', String(PAGES), '--data', kept];
  await using platform = await startPlatformProcess(scale);
  const config = join(directory.path, 'docmirror.yaml');
  await writeFile(config, 'export:\n  enabled: false\n');
  const data = join(directory.path, 'data');
  const environment = { ...platform.environment, DOCMIRROR_CONFIG: config, DOCMIRROR_DATA_DIR: data };
  const night = (): Promise<Night> => runJson<Sync>(['sync'], environment);
  const first = await night();
  if (first.json.state !== 'complete')
    throw new Error(`the first walk was ${first.json.state}: ${JSON.stringify(first.json.kinds)}`);
  const early = await rota(night);
  const name = `${spaces} spaces`;
  const figures = nightFigures({ name, spaces, first, early });
  if (spaces !== PROMISED.spaces) return figures;
  await addSnapshots(data);
  const late = await rota(night);
  const what = `${name}: the same after ${EARLIER} earlier snapshots, to before`;
  return [...figures, { what, value: fastest(late) / fastest(early), unit: '', bound: { most: 1.05 } }];
}

async function rota(night: () => Promise<Night>): Promise<Night[]> {
  const all: Night[] = [];
  for (let turn = 0; turn < ROTA; turn++) all.push(await unchanged(night));
  return all;
}

/** Throws when the night saw a change, or not everything. */
async function unchanged(night: () => Promise<Night>): Promise<Night> {
  const done = await night();
  const { state, kinds } = done.json;
  const moved = Object.values(kinds).reduce((sum, { added, changed }) => sum + added + changed, 0);
  if (state !== 'complete' || moved > 0)
    throw new Error(`a night without changes was ${state}, ${moved} changes: ${JSON.stringify(kinds)}`);
  return done;
}

function fastest(all: readonly Night[]): number {
  return Math.min(...all.map(({ json }) => json.durationMs));
}

interface Nights {
  readonly name: string;
  readonly spaces: number;
  readonly first: Night;
  readonly early: readonly Night[];
}

function nightFigures({ name, spaces, first, early }: Nights): Figure[] {
  const requests = early.map(({ json }) => json.requests / spaces);
  const mean = requests.reduce((total, one) => total + one, 0) / ROTA;
  const peak = Math.max(...early.map(({ peakMiB }) => peakMiB));
  const bound = spaces === PROMISED.spaces ? { bound: { most: PROMISED.ms } } : {};
  const [perSpace, memory] = ['requests per space', { unit: 'MiB', bound: { most: MOST_MIB } }];
  return [
    { what: `${name}: first walk`, value: first.json.durationMs, unit: 'ms' },
    { what: `${name}: first walk`, value: first.json.requests, unit: 'requests' },
    { what: `${name}: first walk, peak memory`, value: first.peakMiB, ...memory },
    { what: `${name}: unchanged night`, value: mean, unit: perSpace, bound: { most: MOST_PER_SPACE } },
    { what: `${name}: unchanged night, the busiest`, value: Math.max(...requests), unit: perSpace },
    { what: `${name}: unchanged night`, value: fastest(early), unit: 'ms', ...bound },
    { what: `${name}: unchanged night, peak memory`, value: peak, ...memory },
  ];
}

/** So many nights more, in each of which one page moved and was moved back the next time; the rota goes on from there. */
async function addSnapshots(dataDir: string): Promise<void> {
  using mirror = await openMirror({ dataDir, clock: systemClock() });
  const origin = lastSealed(mirror)?.origin ?? '';
  const counts = Object.entries(countsOf(mirror, lastSealed(mirror)?.id ?? 0));
  const [page] = heldOf(mirror, 'page');
  const place = (page && currentOf(mirror, 'page', page.key)?.position) ?? 0;
  mirror.store.transaction(() => {
    for (let number = 0; number < EARLIER; number++) {
      const id = openSnapshot(mirror, { mode: 'incremental', scope: null, origin });
      for (const [kind, count] of counts) countKind({ mirror, id }, kind, count);
      const known = page && currentOf(mirror, 'page', page.key);
      // An even number of nights: at the end it stands where it stood.
      if (known) move({ mirror, id }, known, { parent: known.parent, position: place + ((number + 1) % 2) });
      atOnce(
        sealSnapshot({ mirror, id }, { deletedShare: 1, deletedCount: 1e9, rewrittenShare: 1, rewrittenCount: 1e9 }),
      );
    }
    mirror.store.driver.exec(`update reads set snapshot = snapshot + ${EARLIER}`);
  });
}
