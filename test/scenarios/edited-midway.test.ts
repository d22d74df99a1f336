// A mirror of a platform of any shape: people edit it between its walks and in the middle of them, walks are cut off, killed, limited
// or meet faults, snapshots are forgotten. What a kept snapshot shows never changes, and in the end the mirror holds what one walk of
// the platform finds. What goes wrong is said with its seed; DOCMIRROR_TEST_SEED tries another one, DOCMIRROR_TEST_RUNS more of them.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FaultPlan, FaultRule } from '../../src/platform/index.ts';
import { checkMirror, forget, listSnapshots, prune } from '../../src/mirror/index.ts';
import { building, damaging, organizationOf, perform, type Edit, type Edited } from '../support/edits.ts';
import { killedAfter } from '../support/killed-walk.ts';
import { stateOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const SEED = Number(process.env['DOCMIRROR_TEST_SEED'] ?? 4243);
const RUNS = Number(process.env['DOCMIRROR_TEST_RUNS'] ?? 3);

const OPERATIONS = [
  'getPage',
  'getRevision',
  'listComments',
  'listMemberSpaces',
  'getSpace',
  'listChangeRequests',
  'listCollectionSpaces',
  'getCollection',
] as const;
const FAILS = { status: 500 };
const REFUSED = { status: 403 };
const EFFECTS = [FAILS, REFUSED, { status: 404 }, 'cut-before', 'truncate', 'empty-list', 'short-list'] as const;
const TOLD_OF_A_SPACE: ReadonlySet<FaultRule['effect']> = new Set([FAILS, REFUSED, 'cut-before', 'truncate']);
const WALKS = ['whole', 'cut off', 'killed', 'faulty', 'one space', 'small budget', 'full', 'edited midway'] as const;

// Pages below a page that became a link are read again only when half a day is over.
const edits = (some: fc.Arbitrary<Edit[]>): fc.Arbitrary<Edit[]> =>
  some.map((all) => all.filter(({ act }) => act !== 'importKinds'));
const nights = fc.array(
  fc.record({ walk: fc.constantFrom(...WALKS), pick: fc.nat(1000), done: edits(damaging), tidy: fc.boolean() }),
  { minLength: 2, maxLength: 6 },
);

type Night = typeof nights extends fc.Arbitrary<(infer N)[]> ? N : never;

const SETTINGS = { rereadNights: 3, documents: true };
const KEPT = { daily: 0, weekly: 0, monthly: 0, yearly: 0 };

/** Of a space, a direct read that says "gone" of what is there cannot be told from the truth. */
function faultsOf({ walk, pick }: Night): FaultPlan {
  const operation = OPERATIONS[pick % OPERATIONS.length] ?? 'getPage';
  const effect: FaultRule['effect'] = EFFECTS[pick % EFFECTS.length] ?? 'truncate';
  const isMeant = operation !== 'getSpace' || TOLD_OF_A_SPACE.has(effect);
  return walk === 'faulty' && isMeant ? [{ operation, nth: 1 + (pick % 3), count: 2, effect }] : [];
}

/** A walk that may end anyhow; what it throws is part of the night. */
async function walkOnce(world: TestWorld, edited: Edited, night: Night): Promise<void> {
  const { walk, pick, done } = night;
  if (walk === 'killed') return kill(world, 2 + (pick % 40));
  const stop = new AbortController();
  let asked = 0;
  const client = world.hooked(async () => {
    asked += 1;
    if (walk === 'cut off' && asked > pick % 40) stop.abort();
    const [midway] = done;
    if (walk === 'edited midway' && asked === 3 + (pick % 20) && midway) await perform(edited, midway);
  });
  world.platform.faults = faultsOf(night);
  const onlySpaces = walk === 'one space' ? edited.spaces.slice(0, 1) : null;
  const scope = { organizations: null, onlySpaces, extraSpaces: [] };
  const maxRequests = walk === 'small budget' ? 10 + (pick % 30) : null;
  const settings = { rereadNights: 3, documents: pick % 4 !== 0, maxRequests };
  const mode = walk === 'full' ? 'full' : 'incremental';
  await world.sync({ client, scope, mode, settings, signal: stop.signal }).catch(() => undefined);
  world.platform.faults = [];
}

/** A walk in a process of its own that is killed after so many answers, unless it ends before. */
async function kill(world: TestWorld, answers: number): Promise<void> {
  world.close();
  await killedAfter(answers, { ...world.platform, dataDir: world.dataDir });
  await world.open();
}

/** What each sealed snapshot shows is what it showed before. */
function expectKept(world: TestWorld, shown: Map<number, string>): void {
  for (const { id, state } of listSnapshots(world.mirror)) {
    if (state !== 'complete' && state !== 'partial') continue;
    const now = JSON.stringify(stateOf(world.mirror, id));
    expect(now).toBe(shown.get(id) ?? now);
    shown.set(id, now);
  }
}

it(`scenarios/edited-midway: a mirror holds what one walk finds, whatever was edited in the middle of its walks (seed ${SEED})`, async () => {
  await fc.assert(
    fc.asyncProperty(edits(building), nights, async (made, all) => {
      await using world = await TestWorld.create();
      const edited = await organizationOf(world, made);
      const shown = new Map<number, string>();
      for (const night of all) {
        await walkOnce(world, edited, night);
        for (const one of night.walk === 'edited midway' ? night.done.slice(1) : night.done) await perform(edited, one);
        if (night.tidy) forget(world.mirror, { last: 1 + (night.pick % 3), ...KEPT });
        if (night.tidy) prune(world.mirror);
        expectKept(world, shown);
      }
      for (let turn = 0; turn < SETTINGS.rereadNights; turn++) await world.sync({ settings: SETTINGS });
      const { snapshot } = await world.sync({ settings: SETTINGS });
      expect([snapshot.state, snapshot.reason]).toEqual(['complete', null]);
      expect((await checkMirror(world.mirror, { readData: true })).problems).toEqual([]);
      using fresh = await world.newMirror();
      const single = await world.sync({ mirror: fresh, settings: SETTINGS });
      expect(stateOf(world.mirror, snapshot.id)).toEqual(stateOf(fresh, single.snapshot.id));
    }),
    { numRuns: RUNS, seed: SEED },
  );
}, 1_200_000);
