// Restores in the order in which they were begun.
import { expect, it } from 'vitest';
import { atOnce, systemClock, type Clock } from '../../src/base/index.ts';
import {
  beginRestore,
  endRestore,
  forget,
  lastPassedDrill,
  lastSealed,
  listDrills,
  listRestores,
  openMirror,
  recordDrill,
  undoFile,
  undone,
  type Mirror,
} from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { TestWorld } from '../support/world.ts';

const NOON = Date.UTC(2026, 0, 1, 12);

/** A clock that stands still. */
function stopped(): Clock {
  return { ...systemClock(), now: () => NOON };
}

function begin(mirror: Mirror, id: string, plan = `${id}.json`): void {
  const target = { target: 'http://127.0.0.1', organization: 'o' };
  beginRestore(mirror, { id, plan, plan_hash: id, snapshot: 1, ...target });
}

it('mirror/journal lists restores of one millisecond as they were begun: their ids put them in another order', async () => {
  await using world = await TestWorld.create();
  using mirror = await openMirror({ dataDir: world.folder(), clock: stopped() });
  for (const id of ['c', 'a', 'b']) {
    begin(mirror, id);
    endRestore(mirror, id, 'done');
  }
  const restores = listRestores(mirror);
  expect(restores.map(({ id }) => id)).toEqual(['c', 'a', 'b']);
  expect(restores.filter((one) => (one.ended_at ?? '') < one.created_at)).toEqual([]);
});

const DAY_MS = 86_400_000;

it('mirror/journal knows a restore as taken back by an undo that a clock set back has dated before it: it was gone on with, and shown as there', async () => {
  await using world = await TestWorld.create();
  let now = NOON;
  using mirror = await openMirror({ dataDir: world.folder(), clock: { ...systemClock(), now: () => now } });
  begin(mirror, 'z');
  endRestore(mirror, 'z', 'done');
  now -= DAY_MS;
  begin(mirror, 'a', undoFile('.', 'z', { nonce: 'n' }));
  endRestore(mirror, 'a', 'done');
  expect(listRestores(mirror).map(({ id }) => id)).toEqual(['z', 'a']);
  expect([...undone(mirror)]).toEqual([['z', 'a']]);
  // Gone on with since, it is there again.
  endRestore(mirror, 'z', 'done');
  expect([...undone(mirror)]).toEqual([]);
});

it('mirror/journal lets drills go with the snapshots that they were of, but for those that tell how it stands: of each night a thousand differences were kept for ever', async () => {
  using test = await createTestMirror();
  const night = async (passed: boolean): Promise<void> => {
    await test.add({ spaces: [] });
    const snapshot = lastSealed(test.mirror)?.id ?? 0;
    recordDrill(test.mirror, { snapshot, passed, requests: 1, durationMs: 1, report: { ofNewest: true } });
  };
  for (const passed of [true, true, false, true, false, false, false, false, false, false]) await night(passed);
  atOnce(forget(test.mirror, { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 }));
  expect(listDrills(test.mirror).map(({ snapshot }) => snapshot)).toEqual([10, 9, 8, 7, 6, 4]);
  expect(lastPassedDrill(test.mirror)?.snapshot).toBe(4);
});
