// A mirror of a platform of any shape: people edit it between its walks and in the middle of them, walks are cut off, killed, limited
// or meet faults, snapshots are forgotten. What a kept snapshot shows never changes, and in the end the mirror holds what one walk of
// the platform finds. What goes wrong is said with its seed; DOCMIRROR_TEST_SEED tries another one, DOCMIRROR_TEST_RUNS more of them.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import { checkMirror, forget, listSnapshots, prune } from '../../src/mirror/index.ts';
import { runs, seedOr } from '../fuzz/runs.ts';
import { disturbedWalk, WALKS } from '../support/disturbed-walks.ts';
import { building, damaging, organizationOf, perform, type Edit, type Edited } from '../support/edits.ts';
import { danglingIn, stateOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const SEED = seedOr(4243);
const RUNS = runs(1);

const MIDWAY = 'edited midway';

// Pages below a page that became a link are read again only when half a day is over.
const edits = (some: fc.Arbitrary<Edit[]>): fc.Arbitrary<Edit[]> =>
  some.map((all) => all.filter(({ act }) => act !== 'importKinds'));
const nights = fc.array(
  fc.record({
    walk: fc.constantFrom(...WALKS, MIDWAY, MIDWAY, MIDWAY),
    pick: fc.nat(1000),
    done: edits(damaging),
    tidy: fc.boolean(),
  }),
  { minLength: 2, maxLength: 6 },
);

type Night = typeof nights extends fc.Arbitrary<(infer N)[]> ? N : never;

const SETTINGS = { rereadNights: 3, documents: true };
const KEPT = { daily: 0, weekly: 0, monthly: 0, yearly: 0 };

/** In the middle of a walk, the first of the edits is made. */
async function walkOnce(world: TestWorld, edited: Edited, night: Night): Promise<void> {
  const { walk, pick, done } = night;
  const onRequest = async (asked: number): Promise<void> => {
    const [midway] = done;
    if (walk === MIDWAY && asked === 3 + (pick % 20) && midway) await perform(edited, midway);
  };
  const settings = { rereadNights: SETTINGS.rereadNights, documents: pick % 4 !== 0 };
  await disturbedWalk(world, night, { space: edited.spaces[0], settings, onRequest });
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
        for (const one of night.walk === MIDWAY ? night.done.slice(1) : night.done) await perform(edited, one);
        if (night.tidy) atOnce(forget(world.mirror, { last: 1 + (night.pick % 3), ...KEPT }));
        if (night.tidy) atOnce(prune(world.mirror));
        expectKept(world, shown);
      }
      for (let turn = 0; turn < SETTINGS.rereadNights; turn++) await world.sync({ settings: SETTINGS });
      const { snapshot } = await world.sync({ settings: SETTINGS });
      expect([snapshot.state, snapshot.reason]).toEqual(['complete', null]);
      expect((await checkMirror(world.mirror, { readData: true })).problems).toEqual([]);
      using fresh = await world.newMirror();
      const single = await world.sync({ mirror: fresh, settings: SETTINGS });
      expect(stateOf(world.mirror, snapshot.id)).toEqual(stateOf(fresh, single.snapshot.id));
      expect(danglingIn(world.mirror)).toEqual([]);
    }),
    { numRuns: RUNS, seed: SEED },
  );
}, 1_200_000);
