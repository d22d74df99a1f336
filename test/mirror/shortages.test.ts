import { expect, it } from 'vitest';
import { explainShortage, noteShortage, openSnapshot, shortageOf } from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { fill, takeSnapshot } from '../support/snapshots.ts';

it('mirror/shortages explains by what a walk has ended as many as that once: a listing read twice in it was believed to lack twice as many', async () => {
  using made = await createTestMirror();
  const { mirror } = made;
  const comment = (id: string) => ({
    kind: 'comment' as const,
    params: { spaceId: 's', commentId: id },
    body: { object: 'comment', id },
  });
  let scope = 0;
  const { id: first } = takeSnapshot(mirror, ({ see }) => {
    scope = see({ kind: 'space', params: { spaceId: 's' }, body: { object: 'space', id: 's', title: 'S' } });
    for (const id of ['a', 'b']) see(comment(id));
  });
  const place = { scope, kind: 'comment' };
  noteShortage({ mirror, id: first }, place, 3);
  const night = openSnapshot(mirror, { mode: 'full', scope: null, origin: 'http://platform.test' });
  fill(mirror, night, ({ bury }) => void bury('comment', 's/a'));
  const lacking = (missing: number): number | undefined => {
    const growth = { listing: place, place, missing, longAgo: '9999-01-01T00:00:00.000Z' };
    explainShortage({ mirror, id: night }, growth);
    return shortageOf(mirror, place)?.missing;
  };
  expect([lacking(4), lacking(5)]).toEqual([4, 4]);
});

it('mirror/shortages knows nothing of what listings lacked before what holds them had gone and came back', async () => {
  using made = await createTestMirror();
  const { mirror } = made;
  const space = { kind: 'space' as const, params: { spaceId: 's' }, body: { object: 'space', id: 's', title: 'S' } };
  const place = { scope: 0, kind: 'comment' };
  takeSnapshot(mirror, ({ id, see }) => {
    place.scope = see(space);
    noteShortage({ mirror, id }, place, 3);
  });
  takeSnapshot(mirror, ({ bury }) => void bury('space', 's'));
  takeSnapshot(mirror, ({ see }) => void see(space));
  expect(shortageOf(mirror, place)).toBeUndefined();
});
