import { expect, it } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import { forget, pinSnapshot, resolveSnapshot, unpinSnapshot } from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { page, takeSnapshot } from '../support/snapshots.ts';
import { rowsOf } from '../support/state.ts';

const NONE = { last: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 };

it('mirror/snapshots says of a snapshot that it was forgotten, and which are nearest: it said that there was none, as of a number that never was', async () => {
  using made = await createTestMirror();
  const { mirror } = made;
  for (const text of ['one', 'two', 'three']) takeSnapshot(mirror, (hand) => hand.see(page('a', text)));
  pinSnapshot(mirror, 1, 'before the migration');
  atOnce(forget(mirror, NONE));
  expect(() => resolveSnapshot(mirror, 2)).toThrow(
    'No snapshot "2"; it was forgotten, and the nearest kept are 1 and 3',
  );
  unpinSnapshot(mirror, 1);
  atOnce(forget(mirror, NONE));
  expect(() => resolveSnapshot(mirror, 1)).toThrow('No snapshot "1"; it was forgotten, and the oldest kept is 3');
  for (const never of [0, 4])
    expect(() => resolveSnapshot(mirror, never)).toThrow(`No snapshot "${never}"; expected a number that`);
});

it('mirror/views tells all from a kept snapshot on, as README says, and from a forgotten one no end of what that alone showed: copies kept by the feed held deleted pages for ever, unsaid', async () => {
  using made = await createTestMirror();
  const { mirror } = made;
  takeSnapshot(mirror, (hand) => hand.see(page('a', 'one')));
  takeSnapshot(mirror, (hand) => hand.see(page('b', 'one')));
  takeSnapshot(mirror, (hand) => hand.bury('page', 's1/b'));
  const since = (snapshot: number): unknown[] =>
    rowsOf(mirror, 'select change, id from changes where snapshot > ?', snapshot);
  pinSnapshot(mirror, 2, 'taken in');
  atOnce(forget(mirror, NONE));
  expect(since(2)).toEqual([{ change: 'removed', id: 'b' }]);
  unpinSnapshot(mirror, 2);
  atOnce(forget(mirror, NONE));
  expect(since(2)).toEqual([{ change: 'added', id: 'a' }]);
  expect(rowsOf(mirror, `select description from docs_tables where name = 'changes'`)).toEqual([
    { description: expect.stringContaining('from a snapshot that was forgotten on it is not whole') as string },
  ]);
});
