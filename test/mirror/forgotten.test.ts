import { expect, it } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import { forget, pinSnapshot, resolveSnapshot, unpinSnapshot } from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { page, takeSnapshot } from '../support/snapshots.ts';

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
