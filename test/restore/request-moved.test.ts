// What somebody moved and renamed within a change request that stands goes back to its place there.
import { expect, it } from 'vitest';
import { addRequest, addSpace, edit, flatten, importFiles, insert, pagesOf } from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
import { withoutImport } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';
import { serveBytes, zipOf } from '../platform/world.ts';

it.each([
  ['with', 'none'],
  ['without', 'none'],
  ['with', 'killed'],
] as const)(
  'restore/in-place sets a change request back whose pages were moved and renamed in it (%s import, cut: %s): each was in it twice, and verify passed',
  async (how, cut) => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Guide');
    await edit(world, space, insert('A', 'Of A.'), insert('B', 'Of B.'), insert('C', 'Of C.'));
    const { A: a = '', B: b = '', C: c = '' } = await pagesOf(world, space);
    const { id } = await addRequest(world, space, {
      subject: 'Proposal',
      changes: [
        { type: 'update_page', page: b, description: 'Better', document: { markdown: '# B\n\nBetter.' } },
        { type: 'insert_page', title: 'N', document: { markdown: 'New.' }, description: 'New one', emoji: '1f600' },
      ],
    });
    await world.sync();
    const path = { spaceId: space, changeRequestId: id };
    const shown = async (): Promise<unknown[]> => {
      const { pages } = await world.api.getChangeRequestRevision({ path });
      return flatten(pages).map((page) => [page.id, page.title, page.path, page.description, page.emoji]);
    };
    const before = await shown();
    const { pages } = await world.api.getChangeRequestRevision({ path });
    const n = flatten(pages).find(({ title }) => title === 'N')?.id ?? '';
    const changes = [
      { type: 'update_page', page: c, title: 'Cc', into: a },
      { type: 'update_page', page: n, slug: 'other', description: 'Spoiled', emoji: '' },
      { type: 'update_page', page: b, description: 'Spoiled' },
    ] as const;
    world.clock.advance(60_000);
    await world.client.call('changeContent', { path, body: { changes: [...changes] } });
    if (how === 'without') withoutImport(world.platform);
    const place = inPlace(world);
    const plan = await place.plan();
    const { restore, failures } = cut === 'none' ? await place.apply(plan) : (await place.endure(plan, cut)).result;
    expect(failures).toEqual([]);
    expect(new Set(await shown())).toEqual(new Set(before));
    expect((await place.verify(restore)).passed).toBe(true);
    expect((await place.plan()).steps).toEqual([]);
  },
);

it('restore/in-place names a page that came back a second time in a change request, since what it stood below was gone from that', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Guide');
  await edit(world, space, insert('A', 'Of A.'), insert('B', 'Of B.'));
  const { B: b = '' } = await pagesOf(world, space);
  const changes = [insert('Holder', 'Holds.')];
  const path = {
    spaceId: space,
    changeRequestId: (await addRequest(world, space, { subject: 'Proposal', changes })).id,
  };
  const change = async (...some: Parameters<typeof edit>[2][]) =>
    world.client.call('changeContent', { path, body: { changes: some } });
  const { pages } = await world.api.getChangeRequestRevision({ path });
  const holder = flatten(pages).find(({ title }) => title === 'Holder')?.id ?? '';
  await change({ type: 'update_page', page: b, into: holder });
  await world.sync();
  await change({ type: 'update_page', page: b, into: null });
  await change({ type: 'delete_page', page: holder });
  const place = inPlace(world);
  const { failed, failures } = await place.apply(await place.plan());
  expect([failed, failures.map(({ error }) => error)]).toEqual([
    0,
    ['page B is in the change request a second time: what it stood below is gone from that'],
  ]);
  const now = flatten((await world.api.getChangeRequestRevision({ path })).pages);
  expect(now.map(({ title }) => title).toSorted()).toEqual(['A', 'B', 'B', 'Holder']);
});

it('restore/in-place sets a change request back in which a group is a link by now: each resume failed, as a link holds no pages', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Guide');
  await importFiles(world, space, { 'SUMMARY.md': '## Eel\n\n* [In](in.md)\n', 'in.md': '# In\n' });
  const path = { spaceId: space, changeRequestId: (await addRequest(world, space, { subject: 'Proposal' })).id };
  const shown = async (): Promise<string[]> =>
    flatten((await world.api.getChangeRequestRevision({ path })).pages).map(({ type, title }) => `${type} ${title}`);
  await world.sync();
  await using source = await serveBytes(await zipOf({ 'SUMMARY.md': '* [Eel](https://example.com)\n' }));
  await world.api.importChangeRequestContent({ path, body: { url: source.url, source: 'zip' } });
  expect(await shown()).toEqual(['link Eel', 'document In']);
  const place = inPlace(world);
  const { failed, failures } = await place.apply(await place.plan());
  expect([failed, failures.map(({ error }) => error)]).toEqual([
    0,
    ['page In is in the change request a second time: what it stood below is gone from that'],
  ]);
  expect(await shown()).toEqual(['group Eel', 'document In', 'document In']);
});
