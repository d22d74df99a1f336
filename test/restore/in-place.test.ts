// A platform that was damaged where it is: what the plan shows is exactly what was done to it, and exactly that is mended.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import { forget, lastSealed, pinSnapshot } from '../../src/mirror/index.ts';
import { type Plan } from '../../src/restore/index.ts';
import { checkArchive } from '../../src/restore/plan/plan-archive.ts';
import { planTree } from '../support/plan-tree.ts';
import { addCollection, edit, insert, pagesOf } from '../support/content.ts';
import { organize } from '../support/organization.ts';
import { mirroredAnew, type InPlace, type Mirrored } from '../support/in-place.ts';

const anew = mirroredAnew(organize);
let world: Mirrored['world'];
let made: Mirrored['made'];
let place: Mirrored['place'];

beforeEach(async () => {
  ({ world, made, place } = await anew());
});

afterEach(() => world[Symbol.asyncDispose]());

/** What a plan writes: part, kind and title of each step. */
function written(plan: Plan): string[] {
  return plan.steps.filter(({ part }) => part !== 'none').map(({ part, kind, title }) => `${part} ${kind} ${title}`);
}

function page(title: string): string {
  return made.pages[title] ?? '';
}

/** Plans, applies, and shows that nothing is left to do. */
async function mend(choice: Parameters<InPlace['plan']>[0] = {}): Promise<{ plan: Plan; restore: string }> {
  const plan = await place.plan(choice);
  place.clear();
  const applied = await place.apply(plan);
  expect(applied.failures).toEqual([]);
  expect((await place.verify(applied.restore)).differences.filter((one) => one.class === 'exact')).toEqual([]);
  return { plan, restore: applied.restore };
}

describe('restore/in-place', () => {
  it('writes nothing for a platform that is as the snapshot has it', async () => {
    const plan = await place.plan();
    expect(plan.steps).toEqual([]);
    place.clear();
    expect((await place.apply(plan)).done).toBe(0);
    expect(place.writes()).toEqual({});
  });

  it('mends what was done to it, and touches nothing else', async () => {
    await edit(
      world,
      made.guide,
      { type: 'update_page', page: page('Use'), document: { markdown: '# Use\n\nVandalised.' } },
      { type: 'delete_page', page: page('Linux') },
    );
    await world.api.deleteComment({ path: { spaceId: made.guide, commentId: made.comment } });
    const elsewhere = await addCollection(world, 'Elsewhere');
    await world.api.moveCollection({ path: { collectionId: made.nested }, body: { parent: elsewhere } });
    await world.api.deleteSpace({ path: { spaceId: made.news } });
    const { plan } = await mend();
    expect(written(plan)).toEqual([
      'undelete space News',
      'place collection Guides',
      'pages revision Guide',
      'create comment How often?',
      'create comment-reply Once.',
      'state comment How often?',
    ]);
    expect(plan.steps[0]?.note).toMatch(/possible for (7 d 0|6 d 23) h more/);
    expect(planTree(plan).filter((line) => line.startsWith('    '))).toEqual([
      expect.stringContaining('parent: '),
      '    + page Linux  (gone)',
      '    ~ page Use  (text)',
    ]);
    expect(place.writes()).toEqual({
      changeContent: 1,
      createChangeRequest: 1,
      createComment: 1,
      createCommentReply: 1,
      importChangeRequestContent: 1,
      mergeChangeRequest: 1,
      moveCollection: 1,
      restoreSpace: 1,
      updateComment: 1,
    });
    const left = await place.differences(1);
    expect(left.filter((line) => /^(added|removed|changed) (page|space|collection|file) /.test(line))).toEqual([
      'added collection Elsewhere',
      'added page Linux',
      'changed page Use',
      'removed page Linux',
      'changed space News',
      'changed space Guide',
    ]);
    expect(written(await place.plan()), 'what came back under new ids is not missing any more').toEqual([]);
    expect(written(await place.plan({ added: true }))).toEqual(['remove collection Elsewhere']);
  });

  it('sets back single fields of everything that stands', async () => {
    const { organization } = world;
    const organizationId = organization;
    await world.api.updateOrganization({ path: { organizationId }, body: { title: 'Taken over' } });
    await world.api.updateCollection({ path: { collectionId: made.collection }, body: { description: 'Gone bad' } });
    await world.api.updateSpace({ path: { spaceId: made.guide }, body: { title: 'Renamed', editMode: 'locked' } });
    const { items } = await world.api.listSites({ path: { organizationId } });
    const siteId = items[0]?.id ?? '';
    const adaptiveContent = { enabled: false };
    await world.api.updateSite({ path: { organizationId, siteId }, body: { visibility: 'public', adaptiveContent } });
    const { plan } = await mend();
    expect(
      plan.steps.flatMap(({ kind, mend: done }) => (done?.fields ?? []).map(({ field }) => `${kind} ${field}`)),
    ).toEqual([
      'organization title',
      'collection description',
      'space editMode',
      'space title',
      'site visibility',
      'site adaptiveContent',
    ]);
    expect((await place.plan()).steps).toEqual([]);
  });

  it('takes a value away again where there was none, by null or an empty text, as the operation has it', async () => {
    const { organization: organizationId } = world;
    const { items } = await world.api.listSites({ path: { organizationId } });
    const path = { organizationId, siteId: items.find(({ title }) => title === 'Partners')?.id ?? '' };
    await world.api.updateSite({ path, body: { proxy: 'example.com/elsewhere' } });
    await world.api.updateCollection({ path: { collectionId: made.collection }, body: { description: 'Gone bad' } });
    const { plan } = await mend();
    const notes = plan.steps.map(({ action, kind, note }) => `${action} ${kind}: ${note}`);
    expect(notes).toEqual(['update collection: description', 'update site: proxy']);
    expect((await place.plan()).steps).toEqual([]);
    expect((await world.api.getSite({ path })).proxy ?? null).toBeNull();
  });

  it('says of a member who signs in by SAML since that nothing sets that back', async () => {
    const path = { organizationId: world.organization };
    const { items } = await world.api.listMembers({ path });
    const robin = items.find(({ user }) => user.displayName === 'Robin Vale')?.id ?? '';
    await world.api.setMemberSso({ path: { ...path, userId: robin } });
    const { steps } = await place.plan();
    expect(steps.map(({ action, title, note }) => [action, title, note])).toEqual([
      ['unsupported', 'Robin Vale', 'no operation switches sign-in by SAML off for a member'],
    ]);
  });

  it('takes away what is new only when that is asked for, and last', async () => {
    const path = { organizationId: world.organization };
    const spam = await addCollection(world, 'Spam');
    await world.api.createSpace({ path, body: { title: 'Buy now', parent: spam } });
    await edit(world, made.guide, insert('Casino', 'Win.'));
    const body = { body: { markdown: 'Click here' } };
    await world.api.createComment({ path: { spaceId: made.news }, body });
    expect(written(await place.plan())).toEqual([]);
    const { plan } = await mend({ added: true });
    const removed = plan.steps.filter(({ action }) => action === 'delete').map(({ kind }) => kind);
    expect(removed).toEqual(['revision', 'comment', 'space', 'collection']);
    expect(Object.keys(await pagesOf(world, made.guide))).not.toContain('Casino');
    expect(written(await place.plan({ added: true }))).toEqual([]);
  });

  it('chooses single pages by name and by a condition', async () => {
    const ruin = (title: string) =>
      ({ type: 'update_page', page: page(title), document: { markdown: `# ${title}\n\nBad.` } }) as const;
    await edit(world, made.guide, ruin('Use'), ruin('Install'), ruin('Home'));
    const named = await place.plan({ scope: `page:${page('Use')}` });
    expect(named.steps[0]?.pages?.changed.map(({ title }) => title)).toEqual(['Use']);
    const chosen = await mend({ where: `space = '${made.guide}' and path like 'install%'` });
    expect(chosen.plan.steps[0]?.pages?.changed.map(({ title }) => title)).toEqual(['Install']);
    const left = await place.plan();
    expect(left.steps[0]?.pages?.changed.map(({ title }) => title).toSorted()).toEqual(['Home', 'Use']);
    await expect(place.plan({ where: 'title = 1; drop table pages' })).rejects.toMatchObject({ code: /^DM_SQL/ });
  });

  it('leaves merging to people when the content is to be reviewed', async () => {
    await edit(world, made.guide, { type: 'delete_page', page: page('Linux') });
    const plan = await place.plan({ review: true });
    const { review } = await place.apply(plan);
    expect(review).toEqual({ requests: 1, subject: 'Restore of snapshot 1' });
    expect(Object.keys(await pagesOf(world, made.guide))).not.toContain('Linux');
    const { items } = await world.api.listChangeRequests({
      path: { spaceId: made.guide },
      query: { status: 'draft' },
    });
    const request = items.find(({ subject }) => subject.startsWith('Restore of snapshot 1'));
    await world.api.mergeChangeRequest({ path: { spaceId: made.guide, changeRequestId: request?.id ?? '' } });
    expect(Object.keys(await pagesOf(world, made.guide))).toContain('Linux');
  });

  it('finds nothing more to do once a space came out of the bin with its change requests', async () => {
    await world.api.deleteSpace({ path: { spaceId: made.guide } });
    const { plan } = await mend();
    expect(written(plan)).toEqual(['undelete space Guide']);
    expect((await place.plan()).steps).toEqual([]);
  });

  it('gives a space that was renamed before it was deleted its name back with one plan', async () => {
    const path = { spaceId: made.guide };
    await world.api.updateSpace({ path, body: { title: 'Bad', emoji: '1f4a9' } });
    await world.api.deleteSpace({ path });
    // Only what is missing is asked for: a space out of the bin is to be that of the snapshot all the same.
    const { plan, restore } = await mend({ changed: false });
    expect(written(plan)).toEqual(['undelete space Guide', 'fields space Guide']);
    expect(
      planTree(plan)
        .slice(2)
        .map((line) => line.trim()),
    ).toEqual(['title: "Bad" -> "Guide"', 'emoji: "1f4a9" -> "📄"']);
    expect((await world.api.getSpace({ path })).title).toBe('Guide');
    const { passed, differences } = await place.verify(restore);
    expect([passed, differences]).toEqual([true, []]);
    expect((await place.plan()).steps).toEqual([]);
    const back = await place.undo(restore, plan);
    expect(written(back)).toEqual(['remove space Guide']);
  });

  it('leaves the name of a space that somebody brought out of the bin and renamed after the plan', async () => {
    const path = { spaceId: made.guide };
    await world.api.updateSpace({ path, body: { title: 'Bad' } });
    await world.api.deleteSpace({ path });
    const plan = await place.plan();
    await world.api.restoreSpace({ path });
    await world.api.updateSpace({ path, body: { title: 'Mine' } });
    const { failures } = await place.apply(plan);
    expect(failures.map(({ error }) => error)).toEqual([expect.stringContaining('changed since the plan was made')]);
    expect((await world.api.getSpace({ path })).title).toBe('Mine');
  });

  it('makes a space anew once it is purged, and points the links of the others at it', async () => {
    await world.api.deleteSpace({ path: { spaceId: made.guide } });
    world.clock.advance(7 * 86_400_000 + 3_600_000);
    const { plan } = await mend();
    expect(written(plan)).toContain('create space Guide');
    expect(written(plan)).toContain('pages revision News');
    const spaces = await world.api.listMemberSpaces({
      path: { organizationId: world.organization, userId: world.platform.owner },
    });
    const anew = spaces.items.find(({ space }) => space.title === 'Guide')?.space.id ?? '';
    const first = (await pagesOf(world, made.news))['First'] ?? '';
    const text = await world.api.getPage({
      path: { spaceId: made.news, pageId: first },
      query: { format: 'markdown' },
    });
    expect(text.markdown).toContain(anew);
    expect(text.markdown).not.toContain(made.guide);
  });
});

describe('restore/undo in place', () => {
  it('brings the state before the restore back, and no other', async () => {
    await edit(
      world,
      made.guide,
      { type: 'update_page', page: page('Use'), document: { markdown: '# Use\n\nVandalised.' } },
      { type: 'delete_page', page: page('Linux') },
      insert('Casino', 'Win.'),
    );
    await world.api.deleteComment({ path: { spaceId: made.guide, commentId: made.comment } });
    await world.api.updateCollection({ path: { collectionId: made.collection }, body: { title: 'Bad' } });
    await world.api.deleteSpace({ path: { spaceId: made.news } });
    const { plan, restore } = await mend({ added: true });
    const back = await place.undo(restore, plan);
    expect(back.undoes).toBe(restore);
    place.clear();
    const applied = await place.apply(back);
    expect(applied.failures).toEqual([]);
    const left = await place.differences(plan.live?.snapshot ?? 0);
    expect(left.filter((line) => !/ (change-request|link|revision)/.test(line))).toEqual([
      'removed page Casino',
      'added page Casino',
      'changed page Use',
      'changed space Guide',
    ]);
    expect(Object.keys(await pagesOf(world, made.guide)).toSorted()).toEqual(['Casino', 'Home', 'Install', 'Use']);
  });
});

const NEWEST = { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 };

describe('restore/in-place a plan that no longer fits', () => {
  it('is refused before the first write when what it touches was touched', async () => {
    await edit(world, made.guide, { type: 'delete_page', page: page('Linux') });
    await world.api.updateCollection({ path: { collectionId: made.collection }, body: { title: 'Bad' } });
    const plan = await place.plan();
    await world.api.updateCollection({ path: { collectionId: made.collection }, body: { title: 'Meanwhile' } });
    place.clear();
    await expect(place.apply(plan)).rejects.toMatchObject({ code: 'DM_PLAN_STALE', message: /Meanwhile|Manuals|Bad/ });
    expect(place.writes()).toEqual({});
  });

  it('says that pages of a space were changed, where it named a "revision"', async () => {
    await edit(world, made.guide, { type: 'delete_page', page: page('Linux') });
    const plan = await place.plan();
    await edit(world, made.guide, insert('Meanwhile', 'New.'));
    await expect(place.apply(plan)).rejects.toMatchObject({
      code: 'DM_PLAN_STALE',
      message: expect.stringMatching(/: pages of "[^"]+" changed since$/) as string,
    });
  });

  it.each([
    [1, 'docmirror restore plan` of one of the snapshots that `docmirror snapshots` lists'],
    [2, 'docmirror restore plan` and the options of this one'],
  ])(
    'is refused when snapshot %i was forgotten since, which it was made from, and sends to one that is there',
    async (gone, again) => {
      await edit(world, made.guide, { type: 'delete_page', page: page('Linux') });
      const plan = await place.plan();
      await world.sync();
      pinSnapshot(world.mirror, 3 - gone, 'kept');
      atOnce(forget(world.mirror, NEWEST));
      place.clear();
      await expect(place.apply(plan)).rejects.toMatchObject({
        code: 'DM_PLAN_STALE',
        message: expect.stringContaining(`snapshot ${gone}, which it was made from, was forgotten`) as unknown,
        hint: expect.stringContaining(again) as unknown,
      });
      expect(place.writes()).toEqual({});
    },
  );

  it('is refused by an older copy of the mirror, which never had what it was made from: that was said to be forgotten', async () => {
    const plan = await place.plan();
    const { id: snapshot } = lastSealed(world.mirror) ?? { id: 0 };
    await expect(checkArchive(world.mirror, { ...plan, snapshot: snapshot + 1 })).rejects.toMatchObject({
      code: 'DM_PLAN_STALE',
      message: expect.stringContaining(`is not in this mirror, whose newest is ${snapshot}`) as unknown,
    });
  });

  it('is gone on with though the snapshot before its own was forgotten since: the chain of manifests was sealed again', async () => {
    await world.sync();
    await edit(world, made.guide, { type: 'delete_page', page: page('Linux') });
    const plan = await place.plan({ snapshot: 2 });
    world.platform.faults = [{ operation: 'createChangeRequest', effect: { status: 503 } }];
    const { restore, failed } = await place.apply(plan);
    expect(failed).toBe(1);
    world.platform.faults = [];
    pinSnapshot(world.mirror, 2, 'kept');
    const forgotten = atOnce(forget(world.mirror, NEWEST)).filter(({ keep }) => !keep);
    expect(forgotten.map(({ id }) => id)).toEqual([1]);
    expect((await place.resume(restore)).failures).toEqual([]);
  });

  it('is used once', async () => {
    await edit(world, made.guide, { type: 'delete_page', page: page('Linux') });
    const plan = await place.plan();
    await place.apply(plan);
    place.clear();
    await expect(place.apply(plan)).rejects.toMatchObject({ code: 'DM_PLAN_USED' });
    expect(place.writes()).toEqual({});
  });
});
