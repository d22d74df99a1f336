import { describe, expect, it } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import { abandonSnapshot, forget, listSnapshots, openSnapshot, prune, type Mirror } from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { fill, page, takeSnapshot, type Hand } from '../support/snapshots.ts';
import { rowsOf, stateOf } from '../support/state.ts';

const LAST = { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 };

function giveUp(mirror: Mirror, work: (hand: Hand) => void): number {
  const id = openSnapshot(mirror, { mode: 'full', scope: null, origin: 'http://platform.test' });
  fill(mirror, id, work);
  abandonSnapshot(mirror, id, 'test');
  return id;
}

// Each differs from every other somewhere else.
const text = (edit: number): string =>
  Array.from({ length: 60 }, (_, index) => (index === edit * 9 ? 'edited' : `word${index}`)).join(' ');

describe('the number of a snapshot', () => {
  it('is kept with a walk that was given up until a complete one is newer', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    takeSnapshot(mirror, ({ see }) => see(page('a', text(1))));
    giveUp(mirror, ({ see }) => see(page('a', text(2))));
    atOnce(forget(mirror, LAST));
    expect(listSnapshots(mirror).map(({ id }) => id)).toEqual([1, 2]);
    takeSnapshot(mirror, ({ see }) => see(page('a', text(3))));
    atOnce(forget(mirror, LAST));
    expect(listSnapshots(mirror).map(({ id }) => id)).toEqual([3]);
  });

  it('is given to no other walk where an earlier program forgot one that was given up, whose pages would be shown twice', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    takeSnapshot(mirror, ({ see }) => see(page('a', text(1))));
    giveUp(mirror, (hand) => {
      hand.see(page('a', text(2)));
      hand.see(page('b', text(2)));
    });
    giveUp(mirror, (hand) => hand.bury('page', 's1/b'));
    mirror.store.driver.exec(
      'delete from snapshot_kinds where snapshot > 1; delete from snapshot_figures where snapshot > 1; delete from snapshots where id > 1',
    );
    const { id } = takeSnapshot(mirror, ({ see }) => see(page('a', text(3))));
    expect(id).toBe(4);
    expect(Object.keys(stateOf(mirror, id))).toEqual(['page s1/a']);
  });

  it('leaves every text as it was where an earlier program has given it twice', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    takeSnapshot(mirror, ({ see }) => see(page('a', text(1))));
    giveUp(mirror, ({ see }) => see(page('a', text(2))));
    giveUp(mirror, ({ see }) => see(page('a', text(3))));
    mirror.store.driver.exec('update versions set valid_from = 2 where valid_from = 3');
    const before = stateOf(mirror, 1);
    takeSnapshot(mirror, ({ see }) => see(page('a', text(3))));
    expect(stateOf(mirror, 1)).toEqual(before);
    atOnce(prune(mirror));
    expect(stateOf(mirror, 1)).toEqual(before);
  });
});

describe('what is gone', () => {
  it('stays gone for the reason that was found when the snapshot that found it is forgotten', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    takeSnapshot(mirror, ({ see }) => ['a', 'b', 'c'].forEach((id) => see(page(id, text(1)))));
    takeSnapshot(mirror, (hand) => ['a', 'b', 'c'].forEach((id) => hand.bury('page', `s1/${id}`)));
    takeSnapshot(mirror, ({ see }) => ['b', 'c'].forEach((id) => see(page(id, text(2)))));
    takeSnapshot(mirror, (hand) => hand.bury('page', 's1/b'));
    takeSnapshot(mirror, ({ see }) => see(page('d', text(1))));
    mirror.store.driver.exec(`insert into pins (snapshot, reason, at) values (1, 'test', '2026-01-01T00:00:00.000Z')`);
    atOnce(forget(mirror, LAST));
    atOnce(prune(mirror));
    const told = `select r.key, t.snapshot, t.first_missing from tombstones t join resources r using (rid) order by 1`;
    // `a` was found gone by 2 and `b` for the last time by 4; `c` came back.
    expect(rowsOf(mirror, told)).toEqual([
      { key: 's1/a', snapshot: 5, first_missing: 2 },
      { key: 's1/b', snapshot: 5, first_missing: 4 },
    ]);
    mirror.store.driver.exec('delete from pins');
    takeSnapshot(mirror, ({ see }) => see(page('d', text(2))));
    atOnce(forget(mirror, LAST));
    atOnce(prune(mirror));
    expect(rowsOf(mirror, told)).toEqual([]);
    expect(rowsOf(mirror, `select key from resources where kind = 'page' order by 1`)).toEqual([
      { key: 's1/c' },
      { key: 's1/d' },
    ]);
  });
});
