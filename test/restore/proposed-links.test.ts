// Links of a change request to groups of its own, which no file of an import is.
import { expect, it } from 'vitest';
import { addRequest, addSpace, edit, flatten, importFiles, pagesOf, type Change } from '../support/content.ts';
import { createTarget, type Target } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

const FILES = {
  'SUMMARY.md': '# Table of contents\n\n* [Home](home.md)\n\n## First\n\n* [A](first/a.md)\n',
  'home.md': '# Home\n\nOne\n',
  'first/a.md': '# A\n\nTwo\n',
};

interface Proposing {
  readonly world: TestWorld;
  readonly target: Target;
}

/** A change request in which Home links to a group; its space goes on without that and what is in it. */
async function proposing(): Promise<Proposing> {
  const world = await TestWorld.create();
  const space = await addSpace(world, 'Manual');
  await importFiles(world, space, FILES);
  const pages = flatten((await world.api.getRevision({ path: { spaceId: space } })).pages);
  const ids = new Map(pages.map(({ title, id }) => [title, id]));
  const page = ids.get('Home') ?? '';
  const document = { markdown: `See [it](/pages/${ids.get('First') ?? ''}).` };
  const changes: Change[] = [{ type: 'update_page', page, title: 'Home', document }];
  await addRequest(world, space, { subject: 'Proposal', changes });
  for (const title of ['A', 'First']) await edit(world, space, { type: 'delete_page', page: ids.get(title) ?? '' });
  await world.sync();
  return { world, target: await createTarget(world) };
}

/** The text of Home in the change request, with the titles of what it links to in place of ids. */
async function homeIn({ client, organization, platform }: Target): Promise<string> {
  const mine = { organizationId: organization, userId: platform.owner };
  const { items } = await client.api.listMemberSpaces({ path: mine });
  const spaceId = items[0]?.space.id ?? '';
  const requests = await client.api.listChangeRequests({ path: { spaceId }, query: { status: 'draft' } });
  const path = { spaceId, changeRequestId: requests.items[0]?.id ?? '' };
  const pages = flatten((await client.api.getChangeRequestRevision({ path })).pages);
  const pageId = pages.find(({ title }) => title === 'Home')?.id ?? '';
  const { markdown = '' } = await client.api.getChangeRequestPage({
    path: { ...path, pageId },
    query: { format: 'markdown' },
  });
  return pages.reduce((text, { id, title }) => text.replaceAll(id, title), markdown);
}

it('restore/apply turns a link of a change request to a group that its space has no more: the drill of such a platform did not pass', async () => {
  const { world, target } = await proposing();
  await using _world = world;
  await using _target = target;
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures).toEqual([]);
  expect(await homeIn(target)).toContain('See [it](/pages/First).');
  const { passed, differences } = await target.verify(restore);
  expect([passed, differences.filter((one) => one.class === 'exact')]).toEqual([true, []]);
});

it('restore/apply says of such a link where the target edits no pages, and brings the rest', async () => {
  const { world, target } = await proposing();
  await using _world = world;
  await using _target = target;
  target.platform.faults = [{ operation: 'changeContent', effect: { status: 404 } }];
  const { failures, lacking } = await target.apply(await target.plan());
  expect(lacking).toBe(1);
  expect(failures).toEqual([
    expect.objectContaining({ title: 'Proposal', error: expect.stringContaining('links to groups') }),
  ]);
});

it('restore/apply turns a link of a change request to a link that its space calls otherwise by now: it led to that one, which the change request has no more, and no drill passed', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Manual');
  const summary = '* [Home](home.md)\n* [Out](https://example.com)\n* [Use](use.md)\n';
  await importFiles(world, space, { 'SUMMARY.md': summary, 'home.md': '# Home\n', 'use.md': '# Use\n' });
  const { Home: home = '', Out: out = '', Use: use = '' } = await pagesOf(world, space);
  const document = { markdown: `See [it](/pages/${out}).` };
  await edit(world, space, { type: 'update_page', page: home, title: 'Home', document });
  await addRequest(world, space, { subject: 'Proposal' });
  await edit(
    world,
    space,
    { type: 'update_page', page: out, title: 'Away' },
    { type: 'update_page', page: home, title: 'Start', document: { markdown: '# Start\n\nAnew.' } },
    { type: 'update_page', page: use, title: 'Out' },
  );
  await world.sync();
  await using target = await createTarget(world);
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures).toEqual([]);
  const { passed, differences } = await target.verify(restore);
  expect([passed, differences.filter((one) => one.class === 'exact')]).toEqual([true, []]);
  expect(await homeIn(target)).toContain('See [it](/pages/Out).');
});
