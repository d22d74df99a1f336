// Walks that may end anyhow: cut off, killed, limited, or met by faults.
import type { FaultPlan, FaultRule } from '../../src/platform/index.ts';
import { killedAfter } from './killed-walk.ts';
import type { SyncOptions, TestWorld } from './world.ts';

export const WALKS = ['whole', 'cut off', 'killed', 'faulty', 'one space', 'small budget', 'full'] as const;

const OPERATIONS = [
  'getPage',
  'getRevision',
  'listComments',
  'listMemberSpaces',
  'getSpace',
  'listChangeRequests',
  'listCollectionSpaces',
  'getCollection',
  'getChangeRequestRevision',
] as const;
const FAILS = { status: 500 };
const REFUSED = { status: 403 };
const EFFECTS = [FAILS, REFUSED, { status: 404 }, 'cut-before', 'truncate', 'empty-list', 'short-list'] as const;
// Of a space, a direct read that says "gone" of what is there cannot be told from the truth.
const TOLD_OF_A_SPACE: ReadonlySet<FaultRule['effect']> = new Set([FAILS, REFUSED, 'cut-before', 'truncate']);

export interface Disturbed {
  /** One of `WALKS`; any other word is a whole one. */
  readonly walk: string;
  /** Decides which fault there is, and when. */
  readonly pick: number;
}

interface Around {
  /** The space of a walk that reads only one. */
  readonly space: string | undefined;
  readonly settings?: SyncOptions['settings'];
  /** Called before each request with its number, from 1. */
  readonly onRequest?: (asked: number) => Promise<void>;
}

/** What the walk throws is part of the night. */
export async function disturbedWalk(world: TestWorld, night: Disturbed, around: Around): Promise<void> {
  const { walk, pick } = night;
  if (walk === 'killed') return killed(world, 2 + (pick % 40));
  const stop = new AbortController();
  let asked = 0;
  const client = world.hooked(async () => {
    asked += 1;
    if (walk === 'cut off' && asked > pick % 40) stop.abort();
    await around.onRequest?.(asked);
  });
  world.platform.faults = faultsOf(night);
  const onlySpaces = walk === 'one space' && around.space !== undefined ? [around.space] : null;
  const scope = { organizations: null, onlySpaces, extraSpaces: [] };
  const settings = { ...around.settings, maxRequests: walk === 'small budget' ? 10 + (pick % 30) : null };
  const mode = walk === 'full' ? 'full' : 'incremental';
  await world.sync({ client, scope, mode, settings, signal: stop.signal }).catch(() => undefined);
  world.platform.faults = [];
}

function faultsOf({ walk, pick }: Disturbed): FaultPlan {
  const operation = OPERATIONS[pick % OPERATIONS.length] ?? 'getPage';
  const effect: FaultRule['effect'] = EFFECTS[pick % EFFECTS.length] ?? 'truncate';
  const isMeant = operation !== 'getSpace' || TOLD_OF_A_SPACE.has(effect);
  return walk === 'faulty' && isMeant ? [{ operation, nth: 1 + (pick % 3), count: 2, effect }] : [];
}

/** A walk in a process of its own that is killed after so many answers, unless it ends before. */
async function killed(world: TestWorld, answers: number): Promise<void> {
  world.close();
  await killedAfter(answers, { ...world.platform, dataDir: world.dataDir });
  await world.open();
}
