// Pages of an import vanish after the target has said that it is done, or somebody deletes them, before what was said on them comes back.
import { expect, it } from 'vitest';
import { restoreOfPlan } from '../../src/mirror/index.ts';
import { planHash } from '../../src/restore/plan/plan-file.ts';
import { addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { cutOnce } from '../support/cutting.ts';
import { rewriting } from '../support/rewriting.ts';
import { createTarget } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

it('restore/resume brings a comment without its page where that is not there any more, and says so: each resume failed at it anew', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Book');
  await edit(world, space, insert('One', 'Text'), insert('Two', 'Text'));
  const { One = '' } = await pagesOf(world, space);
  await world.api.createComment({ path: { spaceId: space }, body: { page: One, body: { markdown: 'How often?' } } });
  await world.sync();
  await using target = await createTarget(world);
  const plan = await target.plan();
  const dying = cutOnce(target.client, { cut: 'killed', of: 'createComment', nth: 0, sent: false });
  await expect(target.apply(plan, { client: dying })).rejects.toThrow('killed');
  const spaceId = await target.spaceCalled('Book');
  const { One: page = '' } = await pagesOf(target.client, spaceId);
  await edit(target.client, spaceId, { type: 'delete_page', page });
  const { id: restore = '' } = restoreOfPlan(world.mirror, planHash(plan)) ?? {};
  await using proxy = await rewriting(world, target.platform);
  proxy.rewrite = ({ method, path }, { status, body }) =>
    method === 'POST' && path.endsWith('/comments') && status === 400 ? { status: 404, body } : undefined;
  const { failures } = await target.resume(restore, { client: proxy.client });
  expect(failures.map(({ error }) => error)).toEqual([expect.stringMatching(/^page was not taken: .* answered 404/)]);
  const { items } = await target.client.api.listComments({ path: { spaceId } });
  expect(items.map(({ target: on }) => on.page)).toEqual([undefined]);
});
