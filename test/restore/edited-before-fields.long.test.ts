// Somebody edits pages that a restore has brought, before it sets what their import did not keep.
import { expect, it } from 'vitest';
import type { Page } from '../../src/contract/index.ts';
import { restoreOfPlan } from '../../src/mirror/index.ts';
import { planHash } from '../../src/restore/plan/plan-file.ts';
import { addSpace, edit, flatten, importFiles, insert, pagesOf, type Change } from '../support/content.ts';
import { cutOnce } from '../support/cutting.ts';
import { createTarget, type Target } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

const LEFT = /^edited by somebody since it came, .* are not set: 1 page \(/;

/** By an edit of its own, a minute later. */
async function editLater(
  world: TestWorld,
  target: Target,
  of: { space: string; title: string; change: { readonly emoji: string } },
) {
  const spaceId = await target.spaceCalled(of.space);
  const page = (await pagesOf(target.client, spaceId))[of.title] ?? '';
  world.clock.advance(60_000);
  const change: Change = { type: 'update_page', page, ...of.change };
  await edit(target.client, spaceId, change);
  world.clock.advance(60_000);
}

async function pageCalled(target: Target, space: string, title: string): Promise<Page | undefined> {
  const { pages } = await target.client.api.getRevision({ path: { spaceId: await target.spaceCalled(space) } });
  return flatten(pages).find((page) => page.title === title);
}

it('restore/resume leaves the emoji that somebody gave a page after the restore was cut off: it set back that of the snapshot', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Book');
  const [one, two] = [
    { ...insert('One', 'Text'), emoji: '1f4d8' },
    { ...insert('Two', 'Text'), emoji: '1f4da' },
  ];
  await edit(world, space, one, two);
  await world.sync();
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  proxy.rewrite = async ({ path }) => {
    const [, spaceId] = /^\/v1\/spaces\/([^/]+)\/content\/import$/.exec(path) ?? [];
    if (spaceId === undefined) return undefined;
    const { pages } = await target.client.api.getRevision({ path: { spaceId } });
    await edit(
      target.client,
      spaceId,
      ...pages.map(({ id }): Change => ({ type: 'update_page', page: id, emoji: '' })),
    );
    return undefined;
  };
  const plan = await target.plan();
  const dying = cutOnce(proxy.client, { cut: 'killed', of: 'createChangeRequest', nth: 0, sent: false });
  await expect(target.apply(plan, { client: dying })).rejects.toThrow('killed');
  await editLater(world, target, { space: 'Book', title: 'One', change: { emoji: '1f600' } });
  const { id: restore = '' } = restoreOfPlan(world.mirror, planHash(plan)) ?? {};
  const { failures, lacking } = await target.resume(restore, { client: proxy.client });
  expect((await pageCalled(target, 'Book', 'One'))?.emoji).toBe('1f600');
  expect((await pageCalled(target, 'Book', 'Two'))?.emoji).toBe('1f4da');
  expect(failures).toMatchObject([{ error: expect.stringMatching(LEFT) as unknown }]);
  expect(lacking).toBe(1);
});

it('restore/apply leaves what somebody set of a group while the restore went on: the step of titles and groups set it back', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Book');
  const summary = '* [In](in.md)\n\n## More\n\n* [Below](below.md)\n\n## Rest\n\n* [Last](last.md)\n';
  const files = { 'SUMMARY.md': summary, 'in.md': '# In\n', 'below.md': '# Below\n', 'last.md': '# Last\n' };
  await importFiles(world, space, files);
  const { More = '', Rest = '' } = await pagesOf(world, space);
  const set = (page: string): Change => ({ type: 'update_page', page, emoji: '1f4da' });
  await edit(world, space, set(More), set(Rest));
  await world.sync();
  await using target = await createTarget(world);
  const plan = await target.plan();
  const dying = cutOnce(target.client, { cut: 'killed', of: 'createChangeRequest', nth: 0, sent: false });
  await expect(target.apply(plan, { client: dying })).rejects.toThrow('killed');
  await editLater(world, target, { space: 'Book', title: 'More', change: { emoji: '1f600' } });
  const { id: restore = '' } = restoreOfPlan(world.mirror, planHash(plan)) ?? {};
  const { failures } = await target.resume(restore);
  expect((await pageCalled(target, 'Book', 'More'))?.emoji).toBe('1f600');
  expect((await pageCalled(target, 'Book', 'Rest'))?.emoji).toBe('1f4da');
  expect(failures).toMatchObject([{ error: expect.stringMatching(LEFT) as unknown }]);
});
