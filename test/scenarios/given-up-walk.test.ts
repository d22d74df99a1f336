// What a walk leaves that was given up, for the walks, the bin and the retention after it.
import { describe, expect, it } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import { deletedSpaces, failuresOf, forget, prune } from '../../src/mirror/index.ts';
import { addSpace, edit, insert } from '../support/content.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const LAST = { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 };

/** Cuts a walk off at the nth request of an operation, and has it given up by one that the platform then does not answer. */
async function giveUp(world: TestWorld, { at, nth = 1 }: { at: string; nth?: number }): Promise<void> {
  const stop = new AbortController();
  let asked = 0;
  const client = world.hooked((operation) => {
    if (operation === at && ++asked === nth) stop.abort(new Error('cut off'));
  });
  await expect(world.sync({ client, signal: stop.signal, settings: { lanes: 1 } })).rejects.toThrow('cut off');
  world.platform.faults = [{ operation: 'listOrganizations', effect: { status: 503 } }];
  await expect(world.sync({ mode: 'full' })).rejects.toThrow();
  world.platform.faults = [];
}

describe('a walk that was given up', () => {
  it('keeps the next one from no space, although its snapshot was to be forgotten meanwhile', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Guide');
    await world.sync();
    await edit(world, space, insert('New', 'text'));
    await giveUp(world, { at: 'getRevision' });
    atOnce(forget(world.mirror, LAST));
    atOnce(prune(world.mirror));
    const { snapshot } = await world.sync();
    using fresh = await world.newMirror();
    const first = await world.sync({ mirror: fresh });
    expect(snapshot.state).toBe('complete');
    expect(stateOf(world.mirror, snapshot.id)).toEqual(stateOf(fresh, first.snapshot.id));
  });

  it('has found a space deleted, which can still be undeleted, and somebody is told', async () => {
    await using world = await TestWorld.create();
    await addSpace(world, 'Stays');
    const gone = [await addSpace(world, 'First'), await addSpace(world, 'Second')];
    await world.sync();
    for (const spaceId of gone) await world.api.deleteSpace({ path: { spaceId } });
    await giveUp(world, { at: 'getSpace', nth: 2 });
    const found = `select t.snapshot from tombstones t join resources r using (rid) where r.kind = 'space'`;
    expect(rowsOf(world.mirror, found)).toEqual([{ snapshot: 2 }]);
    const left = failuresOf(world.mirror, 2).filter(({ error }) => error.includes('the walk was given up'));
    expect(left.map(({ kind }) => kind)).toEqual(['space']);
    await world.sync();
    const now = world.clock.now();
    const told = deletedSpaces(world.mirror, now);
    expect(told.map(({ id }) => id).toSorted()).toEqual(gone.toSorted());
    expect(told).toMatchObject(gone.map(() => ({ lastSeen: 1, goneSince: 3 })));
    // What tells of them is kept, and with it the proof.
    atOnce(forget(world.mirror, LAST));
    expect(deletedSpaces(world.mirror, now)).toEqual(told);
  });
});
