// An undo that was planned before its restore went on, by a clock that was set back meanwhile.
import { expect, it } from 'vitest';
import { insert, edit } from '../support/content.ts';
import { cutOnce } from '../support/cutting.ts';
import { mirrored } from '../support/in-place.ts';
import { listRestores } from '../../src/mirror/index.ts';

const HOUR_MS = 3_600_000;

it('restore/undo is refused when its restore has gone on since the plan, by a clock that was set back: half was left and called undone', async () => {
  const { world, made, place } = await mirrored();
  await using _world = world;
  await edit(world, made.guide, insert('Casino', 'Win.'));
  await world.api.deleteComment({ path: { spaceId: made.guide, commentId: made.comment } });
  const plan = await place.plan({ added: true });
  const client = cutOnce(world.client, { cut: 'killed', nth: 3, sent: true });
  await expect(place.apply(plan, { client })).rejects.toThrow('killed');
  const restore = listRestores(world.mirror)[0]?.id ?? '';
  const back = await place.undo(restore, plan);
  world.clock.advance(-HOUR_MS);
  expect((await place.resume(restore)).failures).toEqual([]);
  await expect(place.apply(back)).rejects.toThrow(`restore ${restore} has gone on since`);
  const again = await place.undo(restore, plan);
  expect((await place.apply(again)).failures).toEqual([]);
});
