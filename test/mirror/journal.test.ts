// Restores in the order in which they were begun.
import { expect, it } from 'vitest';
import { systemClock, type Clock } from '../../src/base/index.ts';
import { beginRestore, endRestore, listRestores, openMirror, type Mirror } from '../../src/mirror/index.ts';
import { TestWorld } from '../support/world.ts';

const NOON = Date.UTC(2026, 0, 1, 12);

/** A clock that stands still. */
function stopped(): Clock {
  return { ...systemClock(), now: () => NOON };
}

function begin(mirror: Mirror, id: string): void {
  const target = { target: 'http://127.0.0.1', organization: 'o' };
  beginRestore(mirror, { id, plan: `${id}.json`, plan_hash: id, snapshot: 1, ...target });
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
