// Somebody edits a page while a restore writes it: in the moment in which the change request begins, or before that is merged.
import { expect, it } from 'vitest';
import { listRestores } from '../../src/mirror/index.ts';
import type { Plan } from '../../src/restore/index.ts';
import { addCollection, addRequest, addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { cutOnce } from '../support/cutting.ts';
import { bare, mirroredAnew, type Mirrored } from '../support/in-place.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';

const anew = mirroredAnew();

function write({ world, made }: Mirrored, words: string): Promise<void> {
  const page = made.pages['Use'] ?? '';
  return edit(world, made.guide, {
    type: 'update_page',
    page,
    title: 'Use',
    document: { markdown: `# Use\n\n${words}` },
  });
}

async function textOf({ world, made }: Mirrored): Promise<string> {
  const path = { spaceId: made.guide, pageId: made.pages['Use'] ?? '' };
  return (await world.api.getPage({ path, query: { format: 'markdown' } })).markdown ?? '';
}

/** Where the last request before a write is answered whose path ends so, somebody writes. */
function writesAt(proxy: Rewriting, end: string, act: () => Promise<void>): void {
  let isWritten = false;
  proxy.rewrite = async ({ method, path }) => {
    if (isWritten || !`${method} ${path}`.endsWith(end)) return undefined;
    isWritten = true;
    await act();
    return undefined;
  };
}

/** A plan for a text that is bad, and a proxy behind which somebody writes while the step looks whether anybody has. */
async function editedAsItBegins(there: Mirrored): Promise<{ plan: Plan; proxy: Rewriting }> {
  await write(there, 'Bad.');
  const plan = await there.place.plan();
  const proxy = await rewriting(there.world);
  let asked = 0;
  proxy.rewrite = async ({ method, path }) => {
    // Once for the check before the first write, then for that of the step.
    if (method === 'GET' && path.endsWith(`/spaces/${there.made.guide}`) && ++asked === 2)
      await write(there, 'Of somebody.');
    return undefined;
  };
  return { plan, proxy };
}

it('restore/in-place leaves a page that somebody edits just as the change request begins: it was written over', async () => {
  const there = await anew();
  await using world = there.world;
  const { place, made } = there;
  const { plan, proxy } = await editedAsItBegins(there);
  await using _proxy = proxy;
  const { failures } = await place.apply(plan, { client: proxy.client });
  expect(failures).toMatchObject([{ kind: 'revision', isHeldBack: true }]);
  expect(await textOf(there)).toContain('Of somebody.');
  const { items } = await world.api.listChangeRequests({ path: { spaceId: made.guide }, query: { status: 'draft' } });
  expect(items.map(({ subject }) => subject)).toEqual(['Work in progress']);
});

it.each([
  ['edited', 'Use: somebody edited it while it was written'],
  ['deleted', 'Use: somebody deleted it while it was written'],
])(
  'restore/in-place names a page that was %s while it was written where the merge says nothing of it: what somebody wrote was gone, and all had gone well',
  async (what, told) => {
    const there = await anew();
    await using _world = there.world;
    const { place, made, world } = there;
    await write(there, 'Bad.');
    const plan = await place.plan();
    await using proxy = await rewriting(world);
    writesAt(proxy, '/content', () =>
      what === 'edited'
        ? write(there, 'Of somebody.')
        : edit(world, made.guide, { type: 'delete_page', page: made.pages['Use'] ?? '' }),
    );
    const { rewrite } = proxy;
    proxy.rewrite = (asked, answer) =>
      asked.path.endsWith('/merge')
        ? { ...answer, body: { ...(answer.body as object), result: 'merge' } }
        : rewrite(asked, answer);
    const { failures, lacking } = await place.apply(plan, { client: proxy.client });
    expect(failures.map(({ error }) => error)).toEqual([expect.stringContaining(told)]);
    expect(lacking).toBe(1);
  },
);

it('restore/in-place says nothing of a page that somebody has taken away while it was to be: that was told as if something had not come back', async () => {
  const there = await anew();
  await using _world = there.world;
  const { place, made, world } = there;
  await edit(world, made.guide, insert('Extra', 'Added.'));
  const { Extra: page = '' } = await pagesOf(world, made.guide);
  const plan = await place.plan({ added: true });
  await using proxy = await rewriting(world);
  writesAt(proxy, '/content', () => edit(world, made.guide, { type: 'delete_page', page }));
  const { rewrite } = proxy;
  proxy.rewrite = (asked, answer) =>
    asked.path.endsWith('/merge')
      ? { ...answer, body: { ...(answer.body as object), result: 'merge' } }
      : rewrite(asked, answer);
  const { failures } = await place.apply(plan, { client: proxy.client });
  expect(failures).toEqual([]);
  expect(await pagesOf(world, made.guide)).not.toHaveProperty('Extra');
});

it('restore undo leaves a page into which a merge has put the text of somebody too: that was lost without a word', async () => {
  const there = await anew();
  await using world = there.world;
  const { place } = there;
  await write(there, 'Bad.');
  const plan = await place.plan();
  await using proxy = await rewriting(world);
  writesAt(proxy, '/content', () => write(there, 'Of somebody.'));
  const { restore, failures } = await place.apply(plan, { client: proxy.client });
  expect(failures[0]?.error).toContain('both versions are in them');
  const back = await place.undo(restore, plan);
  expect(back.steps).toContainEqual(expect.objectContaining({ kind: 'page', title: 'Use', action: 'unsupported' }));
  await place.apply(back);
  expect(await textOf(there)).toContain('Of somebody.');
});

it('restore/in-place leaves a page that somebody edits just as the change request begins, when the answer of that is lost: it was written over', async () => {
  const there = await anew();
  await using _world = there.world;
  const { place } = there;
  const { plan, proxy } = await editedAsItBegins(there);
  await using _proxy = proxy;
  const { rewrite } = proxy;
  proxy.rewrite = (asked, answer) => {
    // The request was made, and its answer is lost.
    if (asked.method === 'POST' && asked.path.endsWith('/change-requests')) throw new Error('cut off');
    return rewrite(asked, answer);
  };
  const { restore, failures } = await place.apply(plan, { client: proxy.client });
  expect(failures).toMatchObject([{ kind: 'revision' }]);
  expect((await place.resume(restore)).failures).toMatchObject([{ kind: 'revision', isHeldBack: true }]);
  expect(await textOf(there)).toContain('Of somebody.');
});

it.each([
  { when: 'before', mixed: 1 },
  { when: 'after', mixed: 0 },
])(
  'restore/resume of a restore that was killed at its merge tells the pages that somebody edited $when it: only verify did',
  async ({ when, mixed }) => {
    const there = await anew();
    await using world = there.world;
    await using proxy = await rewriting(world);
    await write(there, 'Bad.');
    const plan = await there.place.plan();
    if (when === 'before') writesAt(proxy, '/content', () => write(there, 'Of somebody.'));
    const client = cutOnce(proxy.client, { cut: 'killed', of: 'mergeChangeRequest', nth: 0, sent: true });
    await expect(there.place.apply(plan, { client })).rejects.toThrow('killed');
    world.clock.advance(60_000);
    if (when === 'after') await write(there, 'Of somebody.');
    const [restore] = listRestores(world.mirror);
    const result = await there.place.resume(restore?.id ?? '');
    expect(result).toMatchObject({ mixed, failed: 0 });
    expect(result.failures.map(({ error }) => error)).toEqual(
      mixed === 0 ? [] : [expect.stringContaining('both versions')],
    );
  },
);

it.each(['before it is applied', 'while it is applied'])(
  'restore/in-place leaves the value of a custom field that somebody changes after the plan was made, %s',
  async (when) => {
    let path = { spaceId: '' };
    const give = ({ api }: Mirrored['world'], value: number): Promise<unknown> =>
      api.updateCustomFieldValues({ path, body: { values: { days: { value } } } });
    const { world, place } = await bare(async (world) => {
      path = { spaceId: await addSpace(world, 'Zoo') };
      const field = { name: 'days', type: 'number' as const };
      await world.api.createCustomField({ path: { organizationId: world.organization }, body: field });
      await give(world, 3);
    });
    await using _world = world;
    await give(world, 4);
    const plan = await place.plan();
    if (when === 'before it is applied') {
      await give(world, 5);
      await expect(place.apply(plan)).rejects.toMatchObject({ code: 'DM_PLAN_STALE' });
    } else {
      await using proxy = await rewriting(world);
      let asked = 0;
      // Once the check before the first write is answered: that of the step is to see it.
      proxy.rewrite = async ({ method, path: target }) => {
        if (method === 'GET' && target.includes(`${path.spaceId}/custom-field`) && ++asked === 1) await give(world, 5);
        return undefined;
      };
      const { failures } = await place.apply(plan, { client: proxy.client });
      expect(failures).toMatchObject([{ kind: 'custom-field-value', isHeldBack: true }]);
    }
    const [{ value } = {}] = await world.api.getCustomFieldValues({ path });
    expect(value).toBe(5);
  },
);

it.each(['a page', 'a comment', 'a change request'])(
  'restore/resume leaves a space that is to go when somebody has put %s into it after the restore was cut off: it went with that',
  async (what) => {
    const { world, place } = await anew();
    await using _world = world;
    const spaceId = await addSpace(world, 'Later');
    const plan = await place.plan({ missing: false, changed: false, added: true });
    const client = cutOnce(world.client, { cut: 'killed', of: 'deleteSpace', nth: 0, sent: false });
    await expect(place.apply(plan, { client })).rejects.toThrow('killed');
    if (what === 'a page') await edit(world, spaceId, insert('Of somebody', 'New.'));
    else if (what === 'a change request') await addRequest(world, spaceId, { subject: 'Of somebody' });
    else await world.api.createComment({ path: { spaceId }, body: { body: { markdown: 'Of somebody' } } });
    const { failures } = await place.resume(listRestores(world.mirror)[0]?.id ?? '');
    expect(failures).toMatchObject([{ kind: 'space', error: expect.stringMatching(/since/) as string }]);
    expect((await world.api.getSpace({ path: { spaceId } })).deletedAt).toBeUndefined();
  },
);

const TAKE_AWAY = { missing: false, changed: false, added: true };

it('restore/in-place leaves a collection that is to go and that somebody has renamed after the plan was made', async () => {
  const { world, place } = await anew();
  await using _world = world;
  const collectionId = await addCollection(world, 'Later');
  const plan = await place.plan(TAKE_AWAY);
  await world.api.updateCollection({ path: { collectionId }, body: { title: 'Kept' } });
  await expect(place.apply(plan)).rejects.toMatchObject({ code: 'DM_PLAN_STALE' });
});

it.each(['space', 'collection'] as const)(
  'restore/in-place leaves a collection that is to go and into which somebody has put a %s after the plan was made',
  async (kind) => {
    const { world, place } = await anew();
    await using _world = world;
    const later = await addCollection(world, 'Later');
    const plan = await place.plan(TAKE_AWAY);
    const inside = await (kind === 'space' ? addSpace : addCollection)(world, 'Of somebody', later);
    const { failures } = await place.apply(plan);
    const error = `collection Later still holds ${kind} Of somebody (${inside})`;
    expect(failures).toMatchObject([{ kind: 'collection', error, isHeldBack: true }]);
    expect((await world.api.getCollection({ path: { collectionId: later } })).title).toBe('Later');
  },
);

it('restore/resume of a restore that was killed at its merge does not tell a page that only changed places as edited by somebody', async () => {
  const there = await anew();
  await using world = there.world;
  const { made, place } = there;
  await write(there, 'Once edited.');
  world.clock.advance(60_000);
  const { snapshot } = await world.sync();
  await edit(world, made.guide, { type: 'update_page', page: made.pages['Use'] ?? '', at: 0 });
  world.clock.advance(60_000);
  const plan = await place.plan({ snapshot: snapshot.id });
  const client = cutOnce(world.client, { cut: 'killed', of: 'mergeChangeRequest', nth: 0, sent: true });
  await expect(place.apply(plan, { client })).rejects.toThrow('killed');
  expect((await place.resume(listRestores(world.mirror)[0]?.id ?? '')).failures).toEqual([]);
});
