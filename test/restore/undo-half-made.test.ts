// A step that made something and failed then: nothing notes what it made, and an undo must not pass over it.
import { expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import { mirrored } from '../support/in-place.ts';
import { rewriting } from '../support/rewriting.ts';

it('restore undo names a section that was made and could not be put in its place: it stayed without a word', async () => {
  const site = { siteId: '', siteSectionId: '' };
  const { world, place } = await mirrored(async (world) => {
    const path = { organizationId: world.organization };
    site.siteId = (await world.api.createSite({ path, body: { title: 'Docs' } })).id;
    for (const title of ['Start', 'News']) {
      const body = { title, spaceId: await addSpace(world, title) };
      const { id } = await world.api.createSiteSection({ path: { ...path, siteId: site.siteId }, body });
      site.siteSectionId ||= id;
    }
  });
  await using _world = world;
  const path = { organizationId: world.organization, ...site };
  await world.api.deleteSiteSection({ path });
  const plan = await place.plan();
  world.platform.faults = [{ operation: 'moveSiteSection', effect: { status: 500 } }];
  const { restore } = await place.apply(plan);
  world.platform.faults = [];
  const back = await place.undo(restore, plan);
  expect(back.steps).toContainEqual(
    expect.objectContaining({ kind: 'site-section', title: 'Start', action: 'unsupported' }),
  );
});

it.each(['comment', 'comment-reply'] as const)(
  'restore undo names a %s that was made and whose answer was lost: it stayed without a word',
  async (kind) => {
    const { world, made, place } = await mirrored();
    await using _world = world;
    await world.api.deleteComment({ path: { spaceId: made.guide, commentId: made.comment } });
    const plan = await place.plan();
    await using proxy = await rewriting(world);
    const listing = kind === 'comment' ? /\/comments$/ : /\/replies$/;
    const lost = { status: 500, body: { error: { code: 500, message: 'Down' } } };
    let isLost = false;
    proxy.before = ({ method, path }) => (isLost && method === 'GET' && listing.test(path) ? lost : undefined);
    proxy.rewrite = ({ method, path }) => {
      if (method !== 'POST' || !listing.test(path)) return undefined;
      isLost = true;
      return lost;
    };
    const { restore, failures } = await place.apply(plan, { client: proxy.client });
    expect(failures.filter(({ skipped }) => !skipped)).toMatchObject([{ kind }]);
    const back = await place.undo(restore, plan);
    expect(back.steps).toContainEqual(expect.objectContaining({ kind, action: 'unsupported' }));
    // With a reply goes the comment that it stands below: that stays for it, and is named too.
    expect(await place.apply(back)).toMatchObject({ failed: 0, unsupported: kind === 'comment' ? 1 : 2 });
  },
);
