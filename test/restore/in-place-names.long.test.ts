// Addresses of pages: the platform numbers those that meet while a mend is under way; and what an import cannot tell of links.
import { expect, it } from 'vitest';
import { planOutline } from '../../src/restore/index.ts';
import { edit, flatten, importFiles, pagesOf } from '../support/content.ts';
import { mirroredAnew } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';
import type { TestWorld } from '../support/world.ts';

const OUT = 'https://example.com/out';

/** With a hidden link among the pages of the guide. */
const withLink = mirroredAnew(async (world, { guide }) => {
  const summary = `* [Home](README.md)\n* [Install](install.md)\n* [Out](${OUT})\n* [Use](use.md)\n`;
  const pages = { 'README.md': '# Home\n', 'install.md': '# Install\n', 'use.md': '# Use\n' };
  await importFiles(world, guide, { 'SUMMARY.md': summary, ...pages });
  const { Out: page = '' } = await pagesOf(world, guide);
  await edit(world, guide, { type: 'update_page', page, hidden: true });
});

async function guideOf(api: TestWorld['api'], path: { organizationId: string; userId: string }): Promise<string> {
  const { items } = await api.listMemberSpaces({ path });
  return items.find(({ space }) => space.title === 'Guide')?.space.id ?? '';
}

async function addressesOf(world: TestWorld, spaceId: string): Promise<Record<string, string>> {
  const { pages } = await world.api.getRevision({ path: { spaceId } });
  return Object.fromEntries(
    flatten(pages).flatMap(({ title, slug, type }) => (type === 'link' ? [] : [[title, slug ?? '']])),
  );
}

/** Page Use goes by another title and address, and the link has those of it. */
async function linkTakesAddress(world: TestWorld, space: string, title: string): Promise<void> {
  const { Out: out = '', Use: use = '' } = await pagesOf(world, space);
  await edit(
    world,
    space,
    { type: 'update_page', page: use, title, slug: 'x' },
    { type: 'update_page', page: out, title: 'Use', slug: 'use' },
  );
}

it('restore/in-place gives a page its address back after a link had it', async () => {
  const { world, made, place } = await withLink();
  await using _world = world;
  const before = await addressesOf(world, made.guide);
  await linkTakesAddress(world, made.guide, 'Out');
  const { failures } = await place.apply(await place.plan());
  expect(failures).toEqual([]);
  expect(await addressesOf(world, made.guide)).toEqual(before);
});

it('restore/in-place gives a page its address back that another has of which an import made a page of a link', async () => {
  const { world, made, place } = await withLink();
  await using _world = world;
  const before = await addressesOf(world, made.guide);
  await linkTakesAddress(world, made.guide, 'Off');
  await importFiles(world, made.guide, { 'use.md': '# Use\n\nOver the link.\n' });
  const damaged = await addressesOf(world, made.guide);
  const plan = await place.plan();
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  const after = await addressesOf(world, made.guide);
  expect(after).toEqual({ ...before, Out: expect.stringMatching(/^use-[0-9a-f]{8}$/) as unknown });
  expect(planOutline(plan)).toContainEqual(expect.stringContaining(`slug: "use" -> "${after['Out'] ?? ''}"`));
  await place.apply(await place.undo(restore, plan));
  expect(await addressesOf(world, made.guide)).toEqual(damaged);
});

it('restore/in-place writes no page over a link that has its address in silence: the link was lost, and the page not made', async () => {
  const { world, made, place } = await withLink();
  await using _world = world;
  const { Out: out = '', Use: use = '' } = await pagesOf(world, made.guide);
  await edit(world, made.guide, { type: 'delete_page', page: use }, { type: 'update_page', page: out, slug: 'use' });
  const before = await world.api.getRevision({ path: { spaceId: made.guide } });
  const { restore, failures } = await place.apply(await place.plan());
  expect(failures.map(({ error }) => error)).toEqual([
    expect.stringContaining('The pages that come back to Guide would be written over link Out'),
  ]);
  expect((await world.api.getRevision({ path: { spaceId: made.guide } })).pages).toEqual(before.pages);
  const again = await place.resume(restore);
  expect(again.failures).toHaveLength(1);
  expect((await world.api.getRevision({ path: { spaceId: made.guide } })).pages).toEqual(before.pages);
});

it('restore/in-place hides a link again that it brought back', async () => {
  const { world, made, place } = await withLink();
  await using _world = world;
  const { Out: page = '' } = await pagesOf(world, made.guide);
  await edit(world, made.guide, { type: 'delete_page', page });
  const { restore, failures } = await place.apply(await place.plan());
  expect(failures).toEqual([]);
  expect((await place.verify(restore)).passed).toBe(true);
  const { pages } = await world.api.getRevision({ path: { spaceId: made.guide } });
  expect(flatten(pages).find(({ title }) => title === 'Out')?.hidden).toBe(true);
});

it('restore/verify fails where a link of imported content has what it does not have in the snapshot', async () => {
  const { world } = await withLink();
  await using _world = world;
  await using target = await createTarget(world);
  const { restore } = await target.apply(await target.plan());
  const guide = await guideOf(target.client.api, {
    organizationId: target.organization,
    userId: target.platform.owner,
  });
  const { Out: page = '' } = await pagesOf(target.client, guide);
  await edit(target.client, guide, { type: 'update_page', page, noIndex: true });
  const { passed, differences } = await target.verify(restore);
  const exact = differences.filter((one) => one.class === 'exact').map(({ kind, field }) => `${kind}.${field}`);
  expect([passed, exact]).toEqual([false, ['page.noIndex']]);
});
