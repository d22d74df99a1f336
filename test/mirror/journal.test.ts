// Restores in the order in which they were begun.
import { expect, it } from 'vitest';
import { systemClock, type Clock } from '../../src/base/index.ts';
import {
  beginRestore,
  endRestore,
  listRestores,
  openMirror,
  undoFile,
  undone,
  type Mirror,
} from '../../src/mirror/index.ts';
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
