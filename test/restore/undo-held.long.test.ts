// What a restore brought back and people have put something into since is not taken away with what they put there.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addSpace, edit, insert } from '../support/content.ts';
import { mirroredAnew, type Mirrored } from '../support/in-place.ts';
import type { Plan } from '../../src/restore/index.ts';

let there: Mirrored;

const anew = mirroredAnew(async ({ api, organization: organizationId }) => {
  const { id: siteId } = await api.createSite({
    path: { organizationId },
    body: { title: 'Handbook', visibility: 'share-link' },
  });
  await api.createShareLink({ path: { organizationId, siteId }, body: { name: 'Partners' } });
});

beforeEach(async () => {
  there = await anew();
});

afterEach(() => there.world[Symbol.asyncDispose]());

async function handbook(): Promise<string> {
  const { api, organization: organizationId } = there.world;
  return (await api.listSites({ path: { organizationId } })).items.find(({ title }) => title === 'Handbook')?.id ?? '';
}

/** A comment with its reply and a site with its share link are deleted and brought back. */
async function broughtBack(): Promise<{ restore: string; plan: Plan; comment: string }> {
  const { world, made, place } = there;
  const { api, organization: organizationId } = world;
  const comments = async (): Promise<string[]> =>
    (await api.listComments({ path: { spaceId: made.guide } })).items.map(({ id }) => id);
  await api.deleteComment({ path: { spaceId: made.guide, commentId: made.comment } });
  await api.deleteSite({ path: { organizationId, siteId: await handbook() } });
  const before = await comments();
  const plan = await place.plan();
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  const comment = (await comments()).find((id) => !before.includes(id)) ?? '';
  world.clock.advance(60_000);
  return { restore, plan, comment };
}

function told({ steps }: Plan): string[] {
  return steps.map(({ action, kind, note }) => `${action} ${kind}: ${note}`).toSorted();
}

it('leaves a comment that somebody replied to and a site that somebody added a share link to, and names both', async () => {
  const { world, made, place } = there;
  const { restore, plan, comment } = await broughtBack();
  const siteId = await handbook();
  await world.api.createCommentReply({
    path: { spaceId: made.guide, commentId: comment },
    body: { body: { markdown: 'By somebody' } },
  });
  await world.api.createShareLink({
    path: { organizationId: world.organization, siteId },
    body: { name: 'By somebody' },
  });
  const back = await place.undo(restore, plan);
  expect(told(back)).toEqual([
    expect.stringContaining('unsupported comment: comment-reply "By somebody", which somebody has added since'),
    expect.stringContaining('unsupported site: share-link "By somebody", which somebody has added since'),
  ]);
});

it('does not say of what goes with its site that no operation deletes it', async () => {
  const { world, place } = there;
  const { api, organization: organizationId } = world;
  const properties = { isBeta: { type: 'boolean' } } as const;
  const jsonSchema = { type: 'object', properties, additionalProperties: false } as const;
  await api.putSiteAdaptiveSchema({ path: { organizationId, siteId: await handbook() }, body: { jsonSchema } });
  await world.sync();
  await api.deleteSite({ path: { organizationId, siteId: await handbook() } });
  const plan = await place.plan({ snapshot: 2 });
  const { restore } = await place.apply(plan);
  const back = await place.undo(restore, plan);
  expect(told(back)).toEqual([expect.stringContaining('delete site: ')]);
});

it('takes both away when nobody put anything into them', async () => {
  const { place } = there;
  const { restore, plan } = await broughtBack();
  const back = await place.undo(restore, plan);
  expect(back.steps.map(({ action, kind }) => `${action} ${kind}`).toSorted()).toEqual([
    'delete comment',
    'delete site',
  ]);
  expect((await place.apply(back)).failures).toEqual([]);
  expect(await handbook()).toBe('');
});

it('leaves what was put into them after the undo was planned, and writes nothing: it went with them', async () => {
  const { world, made, place } = there;
  const { restore, plan, comment } = await broughtBack();
  const back = await place.undo(restore, plan);
  await world.api.createCommentReply({
    path: { spaceId: made.guide, commentId: comment },
    body: { body: { markdown: 'By somebody' } },
  });
  const siteId = await handbook();
  const path = { organizationId: world.organization, siteId };
  await world.api.createShareLink({ path, body: { name: 'For all' } });
  place.clear();
  await expect(place.apply(back)).rejects.toMatchObject({
    code: 'DM_PLAN_STALE',
    message: expect.stringMatching(
      /site "Handbook", which holds share-link "For all" now,.* comment .* which holds comment-reply "By somebody" now,/,
    ) as string,
    hint: expect.stringContaining(`docmirror restore undo ${restore} --plan-only`) as string,
  });
  expect(place.writes()).toEqual({});
});

it('leaves a comment that somebody replies to while the undo is under way, and names the reply', async () => {
  const { world, made, place } = there;
  const { restore, plan, comment } = await broughtBack();
  const back = await place.undo(restore, plan);
  const path = { spaceId: made.guide, commentId: comment };
  const { failures } = await place.apply(back, {
    keepBefore: async () => {
      await world.api.createCommentReply({ path, body: { body: { markdown: 'By somebody' } } });
    },
  });
  expect(failures.map(({ error }) => error)).toEqual([
    expect.stringContaining('holds comment-reply "By somebody", which somebody has added since'),
  ]);
  expect((await world.api.listCommentReplies({ path })).items).not.toEqual([]);
});

/** A site with a section that shows two spaces; of these the site, or the section, is deleted and brought back. */
async function sectionBack(which: 'site' | 'section') {
  const { world, place } = there;
  const { api, organization: organizationId } = world;
  const site = { organizationId, siteId: await handbook() };
  await api.createSiteSection({ path: site, body: { title: 'First', spaceId: await addSpace(world, 'First') } });
  const body = { title: 'Start', spaceId: await addSpace(world, 'English') };
  const { id: sectionId } = await api.createSiteSection({ path: site, body });
  await api.createSiteSpace({ path: site, body: { spaceId: await addSpace(world, 'German'), sectionId } });
  const { snapshot } = await world.sync();
  if (which === 'site') await api.deleteSite({ path: site });
  else await api.deleteSiteSection({ path: { ...site, siteSectionId: sectionId } });
  const plan = await place.plan({ snapshot: snapshot.id });
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  const path = { organizationId, siteId: await handbook() };
  const { items } = await api.listSiteSections({ path });
  const start = items.find(({ title }) => title === 'Start')?.id ?? '';
  return { restore, plan, path, show: { spaceId: await addSpace(world, 'Of somebody'), sectionId: start } };
}

it.each(['site', 'section'] as const)(
  'leaves a %s in which somebody shows a space since, and names that: it was shown no more, without a word',
  async (which) => {
    const { world, place } = there;
    const { restore, plan, path, show } = await sectionBack(which);
    const early = await place.undo(restore, plan);
    expect(told(early)).toContainEqual(expect.stringMatching(`^delete site${which === 'site' ? '' : '-section'}: `));
    await world.api.createSiteSpace({ path, body: show });
    await expect(place.apply(early)).rejects.toMatchObject({
      message: expect.stringContaining('which holds site-space "Of somebody" now') as string,
    });
    const back = await place.undo(restore, plan);
    expect(told(back)).toContainEqual(
      expect.stringContaining('site-space "Of somebody", which somebody has added since, would go with it'),
    );
    expect((await place.apply(back)).failures).toEqual([]);
    const { items } = await world.api.listSiteSpaces({ path });
    expect(items.map(({ title }) => title)).toContain('Of somebody');
  },
);

it('takes a section away although somebody shows a space in another one after the undo was planned', async () => {
  const { world, place } = there;
  const { restore, plan, path, show } = await sectionBack('section');
  const back = await place.undo(restore, plan);
  const { items } = await world.api.listSiteSections({ path });
  const first = items.find(({ title }) => title === 'First')?.id ?? '';
  await world.api.createSiteSpace({ path, body: { ...show, sectionId: first } });
  expect((await place.apply(back)).failures).toEqual([]);
  expect((await world.api.listSiteSections({ path })).items.map(({ title }) => title)).toEqual(['First']);
});

it('leaves a space in which somebody has written after its removal was planned', async () => {
  const { world, place } = there;
  const space = await addSpace(world, 'Added since');
  const plan = await place.plan({ added: true });
  await edit(world, space, insert('By somebody', 'Written after the plan'));
  await expect(place.apply(plan)).rejects.toMatchObject({
    code: 'DM_PLAN_STALE',
    message: expect.stringContaining('space "Added since" changed since') as string,
  });
});

describe('words that somebody wrote into what the restore had brought', () => {
  const words = { body: { markdown: 'By somebody' } };

  it('keep the comment in which they stand: it was taken away with them', async () => {
    const { restore, plan, comment } = await broughtBack();
    const path = { spaceId: there.made.guide, commentId: comment };
    await there.world.api.updateComment({ path, body: words });
    const undo = await there.place.undo(restore, plan);
    expect(told(undo)).toContain('unsupported comment: somebody changed it after the restore: it is left as it is');
    expect((await there.place.apply(undo)).failures).toEqual([]);
    expect((await there.world.api.getComment({ path })).body).toMatchObject(words.body);
    const all = await there.place.undo(restore, plan, { evenChanged: true });
    expect(told(all)).toContainEqual(expect.stringMatching(/^delete comment: /));
  });

  it('keep the comment below which they stand, in a reply: both were taken away', async () => {
    const { restore, plan, comment } = await broughtBack();
    const path = { spaceId: there.made.guide, commentId: comment };
    const [reply] = (await there.world.api.listCommentReplies({ path })).items;
    await there.world.api.updateCommentReply({ path: { ...path, commentReplyId: reply?.id ?? '' }, body: words });
    expect(told(await there.place.undo(restore, plan))).toContain(
      'unsupported comment: comment-reply "By somebody", which somebody has changed since, would go with it: it is left as it is',
    );
  });

  it("do not count as somebody's where they are a reaction", async () => {
    const { restore, plan, comment } = await broughtBack();
    const path = { spaceId: there.made.guide, commentId: comment };
    await there.world.api.updateComment({ path, body: { addedReactions: ['1f44d'] } });
    expect(told(await there.place.undo(restore, plan))).toContainEqual(expect.stringMatching(/^delete comment: /));
  });
});
