// One thing that somebody has done in a change request that stands: each by itself is seen, and set back.
import { expect, it } from 'vitest';
import { addRequest, addSpace, edit, flatten, insert, pagesOf, type Change } from '../support/content.ts';
import { serveBytes, zipOf } from '../platform/world.ts';
import { inPlace } from '../support/in-place.ts';
import { TestWorld } from '../support/world.ts';

/** It proposes three pages beside the one of its space. */
async function proposal(world: TestWorld) {
  const spaceId = await addSpace(world, 'Guide');
  await edit(world, spaceId, insert('Home', 'Of all.'));
  const { Home: home = '' } = await pagesOf(world, spaceId);
  const { id: changeRequestId } = await addRequest(world, spaceId, {
    subject: 'Proposal',
    changes: [insert('One', '1.'), insert('Two', '2.'), insert('Three', '3.')],
  });
  const path = { spaceId, changeRequestId };
  const pages = async () => flatten((await world.api.getChangeRequestRevision({ path })).pages);
  const ids = Object.fromEntries((await pages()).map(({ title, id }) => [title, id]));
  const textOf = async (pageId: string): Promise<string | undefined> =>
    (await world.api.getChangeRequestPage({ path: { ...path, pageId }, query: { format: 'markdown' } })).markdown;
  const shown = async (): Promise<unknown[]> => {
    const all = await pages();
    return Promise.all(all.map(async (page) => [page.title, page.path, page.description, await textOf(page.id)]));
  };
  return { world, path, home, ids, shown };
}

const DONE: Readonly<Record<string, (page: string, other: string) => Change>> = {
  'its text': (page) => ({ type: 'update_page', page, document: { markdown: '# Three\n\nSpam.' } }),
  'its title': (page) => ({ type: 'update_page', page, title: 'Spam' }),
  'its description': (page) => ({ type: 'update_page', page, description: 'Spam' }),
  'the page above it': (page, other) => ({ type: 'update_page', page, into: other }),
};

it.each(Object.keys(DONE))(
  'restore/in-place sets a page of a change request back of which %s alone is another',
  async (what) => {
    await using world = await TestWorld.create();
    const { path, ids, home, shown } = await proposal(world);
    await world.sync();
    const before = await shown();
    world.clock.advance(60_000);
    const change = DONE[what]?.(ids['Three'] ?? '', home);
    await world.api.changeContent({ path, body: { changes: change ? [change] : [] } });
    const place = inPlace(world);
    const { steps, ...plan } = await place.plan();
    expect(steps.map(({ part, kind, note }) => `${part} ${kind}: ${note}`)).toEqual([
      'content change-request-revision: 1 page set back by import',
    ]);
    expect((await place.apply({ ...plan, steps })).failures).toEqual([]);
    expect(await shown()).toEqual(before);
    expect((await place.plan()).steps).toEqual([]);
  },
);

it('restore/in-place says that a change request that was archived since takes no content: nothing is written into it', async () => {
  await using world = await TestWorld.create();
  const { path, ids } = await proposal(world);
  await world.sync();
  const change: Change = { type: 'update_page', page: ids['Three'] ?? '', title: 'Spam' };
  await world.api.changeContent({ path, body: { changes: [change] } });
  await world.api.updateChangeRequest({ path, body: { status: 'archived' } });
  const { steps } = await inPlace(world).plan({ scope: 'kind:change-request-page' });
  expect(steps.map(({ action, note }) => [action, note])).toEqual([
    ['unsupported', 'its 1 changed page stays: a request that is archived takes no content'],
  ]);
});

it('restore/in-place takes a page of a change request for set back that links to what stands there, and came back to the space as another page: each plan set it back again', async () => {
  await using world = await TestWorld.create();
  const { path, home, ids } = await proposal(world);
  const { spaceId } = path;
  const linking: Change = {
    type: 'update_page',
    page: ids['One'] ?? '',
    document: { markdown: `[Home](/pages/${home})` },
  };
  await world.api.changeContent({ path, body: { changes: [linking] } });
  await world.sync();
  world.clock.advance(60_000);
  await edit(world, spaceId, { type: 'delete_page', page: home });
  await world.api.changeContent({ path, body: { changes: [{ ...linking, title: 'Spam' }] } });
  const [place, choice] = [inPlace(world), { scope: `space:${spaceId}` }];
  expect((await place.apply(await place.plan(choice))).failures).toEqual([]);
  expect((await place.plan(choice)).steps.filter(({ part }) => part !== 'none')).toEqual([]);
});

it.each([
  { was: 'archived', now: 'draft' },
  { was: 'draft', now: 'archived' },
] as const)(
  'restore/in-place sets the pages of a change request back that was $was and is $now, while it takes content: they stayed as they were',
  async ({ was, now }) => {
    await using world = await TestWorld.create();
    const { path, ids, shown } = await proposal(world);
    await world.api.updateChangeRequest({ path, body: { status: was } });
    await world.sync();
    const before = await shown();
    world.clock.advance(60_000);
    await world.api.updateChangeRequest({ path, body: { status: 'draft' } });
    const page = ids['Three'] ?? '';
    await world.api.changeContent({ path, body: { changes: [{ type: 'update_page', page, title: 'Spam' }] } });
    if (now === 'archived') await world.api.updateChangeRequest({ path, body: { status: now } });
    const [place, spoilt] = [inPlace(world), await shown()];
    const plan = await place.plan();
    const { restore, failures } = await place.apply(plan);
    expect(failures).toEqual([]);
    expect(await shown()).toEqual(before);
    expect((await place.plan()).steps).toEqual([]);
    expect((await place.apply(await place.undo(restore, plan))).failures).toEqual([]);
    expect(await shown()).toEqual(spoilt);
    expect((await world.api.getChangeRequest({ path })).status).toBe(now);
  },
);

it('restore/in-place leaves a page of a change request where it stands behind one that has come since: verify failed, and each plan set it back again', async () => {
  await using world = await TestWorld.create();
  const { path, shown } = await proposal(world);
  await world.sync();
  const before = await shown();
  world.clock.advance(60_000);
  const summary = '# Table of contents\n\n* [Zero](zero.md)\n* [One](one.md)\n';
  await using source = await serveBytes(
    await zipOf({ 'SUMMARY.md': summary, 'zero.md': '# Zero\n\n0.\n', 'one.md': '# One\n\nSpam.\n' }),
  );
  await world.api.importChangeRequestContent({ path, body: { url: source.url, source: 'zip' } });
  const place = inPlace(world);
  const { steps, ...plan } = await place.plan();
  expect(steps.map(({ note }) => note)).toEqual(['1 page set back by import']);
  const { restore, failures } = await place.apply({ ...plan, steps });
  expect(failures).toEqual([]);
  const [home, zero, ...rest] = await shown();
  expect([zero, [home, ...rest]]).toEqual([['Zero', 'zero', undefined, '# Zero\n\n0.\n'], before]);
  expect(await place.verify(restore)).toMatchObject({ passed: true, differences: [] });
  expect((await place.plan()).steps).toEqual([]);
});

it('restore/in-place sets one page of a change request back that somebody put last, and an undo puts it last again: each page behind it counted as changed', async () => {
  await using world = await TestWorld.create();
  const { path, ids, home, shown } = await proposal(world);
  await world.sync();
  const before = await shown();
  world.clock.advance(60_000);
  const { One: page = '' } = ids;
  for (const into of [home, null])
    await world.api.changeContent({ path, body: { changes: [{ type: 'update_page', page, into }] } });
  const [place, spoilt] = [inPlace(world), await shown()];
  expect(spoilt).not.toEqual(before);
  const { steps, ...plan } = await place.plan();
  expect(steps.map(({ note }) => note)).toEqual(['1 page set back by import']);
  const { restore } = await place.apply({ ...plan, steps });
  expect(await shown()).toEqual(before);
  await place.apply(await place.undo(restore, { ...plan, steps }));
  expect(await shown()).toEqual(spoilt);
});
