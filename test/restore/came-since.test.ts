import { expect, it } from 'vitest';
import { readerAt, type SnapshotReader } from '../../src/mirror/index.ts';
import { demandNoneCame } from '../../src/restore/came-since.ts';
import { readTarget } from '../../src/restore/target.ts';
import { inPlace, mirrored, mirroredAnew } from '../support/in-place.ts';
import { rewriting } from '../support/rewriting.ts';

const anew = mirroredAnew();

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

it('restore/apply begins nothing while a listing that tells what came since is answered with 500: that was taken for nothing, and all came twice', async () => {
  const { world, place, made } = await anew();
  await using _world = world;
  await world.api.deleteComment({ path: { spaceId: made.guide, commentId: made.comment } });
  const plan = await place.plan({ missing: true });
  await using proxy = await rewriting(world);
  const broken = inPlace(world, proxy.client);
  proxy.before = ({ method, path }) =>
    method === 'GET' && path.endsWith(`/spaces/${made.guide}/comments`) ? { status: 500, body: {} } : undefined;
  place.clear();
  await expect(broken.apply(plan)).rejects.toMatchObject({
    code: 'DM_HTTP_STATUS',
    message: expect.stringContaining('listComments') as string,
  });
  expect(place.writes()).toEqual({});
  proxy.before = () => undefined;
  expect((await broken.apply(plan)).failed).toBe(0);
  expect((await world.api.listComments({ path: { spaceId: made.guide } })).items).toHaveLength(2);
});

it('restore/apply brings back what the token may not list there: nobody can ever tell what came since', async () => {
  const { world, place, made } = await anew();
  await using _world = world;
  await world.api.deleteComment({ path: { spaceId: made.guide, commentId: made.comment } });
  const plan = await place.plan({ missing: true });
  await using proxy = await rewriting(world);
  let asked = 0;
  proxy.before = ({ method, path }) => {
    if (method !== 'GET' || !path.endsWith(`/spaces/${made.guide}/comments`)) return undefined;
    asked += 1;
    return { status: 403, body: { error: { code: 403, message: 'no right' } } };
  };
  expect((await inPlace(world, proxy.client).apply(plan)).failed).toBe(0);
  expect(asked).toBeGreaterThan(0);
});
