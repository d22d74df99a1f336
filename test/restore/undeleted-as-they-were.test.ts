// A space comes out of the bin as it was deleted, not as the snapshot has it: whoever applied that is told what is left to do.
import { expect, it } from 'vitest';
import { applyView } from '../../src/cli/views/restore-apply.ts';
import { createStyle } from '../../src/cli/views/style.ts';
import { edit } from '../support/content.ts';
import { mirrored, mirroredAnew } from '../support/in-place.ts';
import { rewriting } from '../support/rewriting.ts';

const anew = mirroredAnew();

it('restore/apply says that a space out of the bin may differ from the snapshot, and the command that shows it: all was done and verified, and what had been edited before the deletion stayed', async () => {
  const { world, made, place } = await anew();
  await using _world = world;
  await edit(world, made.guide, { type: 'delete_page', page: made.pages['Linux'] ?? '' });
  await world.api.deleteSpace({ path: { spaceId: made.guide } });
  const applied = await place.apply(await place.plan());
  expect(applied).toMatchObject({ failures: [], undeleted: { spaces: 1, snapshot: 1, only: made.guide } });
  const look = { style: createStyle(false), width: Number.POSITIVE_INFINITY, named: String };
  expect(applyView(applied, { flags: '', target: { baseUrl: null, token: null } }, look)).toContain(
    '1 undeleted space is as it was when it was deleted. What else had changed in it by then: ' +
      `docmirror restore plan --snapshot 1 --in-place --scope space:${made.guide} --out restore-of-1.json\n`,
  );
  const again = await place.apply(await place.plan({ scope: `space:${made.guide}` }));
  expect(again).toMatchObject({ done: 1, undeleted: null });
});

it('restore/apply names a plan of the one space that came out of the bin: it was one of all that had changed anywhere', async () => {
  const { world, made, place } = await anew();
  await using _world = world;
  await world.api.updateCollection({ path: { collectionId: made.nested }, body: { title: 'Meant' } });
  for (const spaceId of [made.guide, made.news]) await world.api.deleteSpace({ path: { spaceId } });
  const { undeleted } = await place.apply(await place.plan({ scope: `space:${made.guide}` }));
  expect(undeleted).toEqual({ spaces: 1, snapshot: 1, only: made.guide });
  expect((await place.plan({ scope: `space:${made.guide}` })).steps.filter(({ part }) => part !== 'none')).toEqual([]);
  const { undeleted: other } = await place.apply(await place.plan({ changed: false }));
  expect(other).toEqual({ spaces: 1, snapshot: 1, only: made.news });
});

it('restore/verify finds the place at which a site shows a space out of the bin, where that was put into its order: it was said to be missing', async () => {
  let path = { organizationId: '', siteId: '' };
  const { world, made, place } = await mirrored(async ({ api, organization: organizationId }, { news, guide }) => {
    const { id } = await api.createSite({ path: { organizationId }, body: { title: 'Docs', spaces: [news, guide] } });
    path = { organizationId, siteId: id };
  });
  await using _world = world;
  const { items } = await world.api.listSiteSpaces({ path });
  await world.api.deleteSpace({ path: { spaceId: made.guide } });
  await world.api.deleteSiteSpace({ path: { ...path, siteSpaceId: items[0]?.id ?? '' } });
  const { restore, failures } = await place.apply(await place.plan());
  expect(failures).toEqual([]);
  expect(await place.verify(restore)).toMatchObject({ passed: true, differences: [] });
});

it('restore/undo leaves a space out of the bin whose pages somebody edited while the restore went on: it went into the bin again, their page with it', async () => {
  const { world, made, place } = await anew();
  await using _world = world;
  for (const spaceId of [made.guide, made.news]) await world.api.deleteSpace({ path: { spaceId } });
  const plan = await place.plan();
  await using proxy = await rewriting(world);
  let undeleted = 0;
  proxy.rewrite = async ({ method, path }) => {
    if (method === 'POST' && path.endsWith('/restore') && ++undeleted === 2)
      await edit(world, made.guide, { type: 'delete_page', page: made.pages['Linux'] ?? '' });
    return undefined;
  };
  const { restore, failures } = await place.apply(plan, { client: proxy.client });
  expect([failures, undeleted]).toEqual([[], 2]);
  const back = await place.undo(restore, plan);
  expect(back.steps.flatMap(({ key, action, note }) => (action === 'unsupported' ? [{ key, note }] : []))).toEqual([
    {
      key: made.guide,
      note: expect.stringContaining('somebody edited its pages since it came out of the bin') as string,
    },
  ]);
  await place.apply(back);
  const path = { organizationId: world.organization, userId: world.platform.owner };
  expect((await world.api.listMemberSpaces({ path })).items).toMatchObject([{ space: { id: made.guide } }]);
});
