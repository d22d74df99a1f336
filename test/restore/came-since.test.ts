import { expect, it } from 'vitest';
import { readerAt, type SnapshotReader } from '../../src/mirror/index.ts';
import { demandNoneCame } from '../../src/restore/came-since.ts';
import { readTarget } from '../../src/restore/target.ts';
import { mirrored } from '../support/in-place.ts';

const LOST = 4;
const STANDING = 6;

it('restore/apply looks once at each comment that stands where others are to come back: all of them for each of those, 3,000 beside as many, took half a minute', async () => {
  const ids: string[] = [];
  const { world, place, made } = await mirrored(async ({ api }, { news: spaceId }) => {
    for (let count = 0; count < LOST + STANDING; count += 1)
      ids.push((await api.createComment({ path: { spaceId }, body: { body: { markdown: `Comment ${count}` } } })).id);
  });
  await using _world = world;
  for (const commentId of ids.slice(0, LOST))
    await world.api.deleteComment({ path: { spaceId: made.news, commentId } });
  const plan = await place.plan({ missing: true });
  expect(plan.steps.filter(({ part, kind }) => part === 'create' && kind === 'comment')).toHaveLength(LOST);
  let looks = 0;
  const seen = readerAt(world.mirror, plan.live?.snapshot ?? 0);
  const live: SnapshotReader = {
    ...seen,
    keysOf: (kind, id) => {
      if (kind === 'comment') looks += 1;
      return seen.keysOf(kind, id);
    },
  };
  const { there } = await readTarget(world.client, world.organization);
  await demandNoneCame({ client: world.client, there, reader: readerAt(world.mirror, 1), live }, plan);
  expect(looks).toBe(STANDING);
});
