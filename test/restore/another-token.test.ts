// A token of another account: some platforms say of what it may not see that it is not there, as of what is gone.
import { expect, it } from 'vitest';
import { restoreById } from '../../src/mirror/index.ts';
import { mirrored } from '../support/in-place.ts';
import { rewriting } from '../support/rewriting.ts';

const NOT_THERE = { status: 404, body: { error: { code: 404, message: 'Not found' } } };

it('takes nothing for gone in an organization that the token is not shown: an undo that was continued with it was done, and all of it stood there', async () => {
  const { world, made, place } = await mirrored();
  await using _world = world;
  await using hiding = await rewriting(world);
  hiding.before = ({ path }) => (path === '/v1/orgs' ? undefined : NOT_THERE);
  const { guide: spaceId } = made;
  const comments = async (): Promise<number> => (await world.api.listComments({ path: { spaceId } })).items.length;
  await world.api.deleteComment({ path: { spaceId, commentId: made.comment } });
  const without = await comments();
  const plan = await place.plan();
  const { restore } = await place.apply(plan);
  const back = await place.undo(restore, plan);
  world.platform.faults = [{ operation: 'deleteComment', effect: { status: 403 } }];
  const undo = await place.apply(back);
  expect([undo.failed, await comments()]).toEqual([1, without + 1]);
  world.platform.faults = [];

  await expect(place.resume(undo.restore, { client: hiding.client })).rejects.toMatchObject({ code: 'DM_NOT_FOUND' });
  expect(restoreById(world.mirror, undo.restore).state).toBe('failed');
  expect((await place.resume(undo.restore)).failures).toEqual([]);
  expect(await comments()).toBe(without);
});
