// A step that made something and failed then: nothing notes what it made, and an undo must not pass over it.
import { expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import type { Plan } from '../../src/restore/index.ts';
import { bare, mirrored } from '../support/in-place.ts';
import { rewriting } from '../support/rewriting.ts';

it('restore undo names a section that was made and could not be put in its place: it stayed without a word', async () => {
  const site = { siteId: '', siteSectionId: '' };
  const { world, place } = await bare(async (world) => {
    const path = { organizationId: world.organization };
    site.siteId = (await world.api.createSite({ path, body: { title: 'Docs' } })).id;
    for (const title of ['Start', 'News']) {
      const body = { title, spaceId: await addSpace(world, title) };
      const { id } = await world.api.createSiteSection({ path: { ...path, siteId: site.siteId }, body });
      site.siteSectionId ||= id;
    }
    const { id: siteId } = await world.api.createSite({ path, body: { title: 'Other' } });
    const body = { title: 'Start', spaceId: await addSpace(world, 'Else') };
    await world.api.createSiteSection({ path: { ...path, siteId }, body });
  });
  await using _world = world;
  const path = { organizationId: world.organization, ...site };
  await world.api.deleteSiteSection({ path });
  const plan = await place.plan();
  world.platform.faults = [{ operation: 'moveSiteSection', effect: { status: 500 } }];
  const { restore } = await place.apply(plan);
  world.platform.faults = [];
  const body = { title: 'Of somebody', spaceId: await addSpace(world, 'New') };
  await world.api.createSiteSection({ path: { ...path, siteId: site.siteId }, body });
  // Neither what stood before under the same name, nor what somebody made, is in doubt.
  expect(doubtful(await place.undo(restore, plan))).toEqual([['site-section', 'Start']]);
});

function doubtful({ steps }: Plan): string[][] {
  return steps.filter(({ action }) => action === 'unsupported').map(({ kind, title }) => [kind, title]);
}

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
    // Somebody's own words are not in doubt, nor is what they have taken over from elsewhere with a credit line.
    for (const markdown of ['Of somebody', '_Robin wrote on 2020-02-02 10:00 UTC:_\n\nHow often?'])
      await world.api.createComment({ path: { spaceId: made.guide }, body: { body: { markdown } } });
    const back = await place.undo(restore, plan);
    const named = kind === 'comment' ? ['How often?'] : ['How often?', 'Once.'];
    expect(doubtful(back).map(([, title = '']) => title.replace(/^_Admin .*:_ /, ''))).toEqual(named);
    // With a reply goes the comment that it stands below: that stays for it, and is named too.
    expect(await place.apply(back)).toMatchObject({ failed: 0, unsupported: kind === 'comment' ? 1 : 2 });
  },
);
