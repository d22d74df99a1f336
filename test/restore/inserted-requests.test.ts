// Change requests that are made anew on a target without import.
import { expect, it } from 'vitest';
import { addRequest, addSpace, edit, importFiles, insert, pagesOf } from '../support/content.ts';
import { createTarget, withoutImport, type Target } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

async function restored(target: Target) {
  withoutImport(target.platform);
  const { restore, failures } = await target.apply(await target.plan());
  const { passed, differences } = await target.verify(restore);
  const exact = differences.filter((one) => one.class === 'exact');
  return { passed, exact, told: failures.map(({ kind, title, error }) => [kind, title, error]) };
}

it('a change request that empties a page comes back with it empty: without an import the page kept the text of its space, without a word', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Guide');
  await edit(world, space, insert('Home', 'Words.'), insert('Use', 'More words.'));
  const { Home: page = '' } = await pagesOf(world, space);
  const changes = [{ type: 'update_page', page, title: 'Home', document: { markdown: '' } }] as const;
  await addRequest(world, space, { subject: 'Away with it', changes: [...changes] });
  await world.sync();
  await using target = await createTarget(world);
  expect(await restored(target)).toEqual({ passed: true, exact: [], told: [] });
});

it('a change request whose page has the address of one that its space got since says that both cannot have it: verify called it lost', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Guide');
  await edit(world, space, insert('Home', 'Words.'));
  const { Home: home = '' } = await pagesOf(world, space);
  const changes = [insert('Use', 'As proposed.'), insert('Use', 'Nested.', { into: home })];
  const { id } = await addRequest(world, space, { subject: 'How to use it', changes });
  const path = { spaceId: space, changeRequestId: id };
  const { pages } = await world.api.getChangeRequestRevision({ path });
  const into = pages.find(({ slug }) => slug === 'use')?.id ?? '';
  await world.api.changeContent({ path, body: { changes: [insert('Deep', 'Below.', { into })] } });
  await edit(world, space, insert('Use', 'As it is.'));
  await world.sync();
  await using target = await createTarget(world);
  const { passed, exact, told } = await restored(target);
  expect([passed, exact]).toEqual([true, []]);
  const said = 'page Use has the address use-2: another page has use';
  expect(told).toEqual([['change-request-revision', 'How to use it', said]]);
});

it('a change request that only edits pages fails where the target edits none: it was called done, and held nothing of it', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Guide');
  await edit(world, space, insert('Home', 'Words.'));
  const { Home: page = '' } = await pagesOf(world, space);
  const changes = [{ type: 'update_page', page, title: 'House' }] as const;
  await addRequest(world, space, { subject: 'Another name', changes: [...changes] });
  await world.sync();
  await using target = await createTarget(world);
  const plan = await target.plan();
  withoutImport(target.platform);
  const first = target.platform.faults;
  // The space comes, and then the operation is gone.
  target.platform.faults = [...first, { operation: 'changeContent', nth: 2, effect: { status: 501 } }];
  const { failures } = await target.apply(plan);
  expect(failures.map(({ kind, error }) => [kind, error])).toContainEqual([
    'change-request-revision',
    expect.stringContaining('no content can come into it'),
  ]);
});

it('change requests that all hold pages which their space has deleted come back each with its own: those below came below the page of another request, and were refused', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Guide');
  await edit(world, space, insert('Home', 'Words.'), insert('Use', 'More words.'));
  const { Use: into = '' } = await pagesOf(world, space);
  await edit(world, space, insert('Deep', 'See [above](/pages/' + into + ').', { into }));
  const ids: string[] = [];
  for (const subject of ['One', 'Two'])
    ids.push((await addRequest(world, space, { subject, changes: [insert('Ant', '')] })).id);
  await edit(world, space, { type: 'delete_page', page: into });
  for (const changeRequestId of ids) {
    const body = { body: { markdown: `About [it](/pages/${into})` } };
    await world.api.createChangeRequestComment({ path: { spaceId: space, changeRequestId }, body });
  }
  await world.sync();
  await using target = await createTarget(world);
  expect(await restored(target)).toEqual({ passed: true, exact: [], told: [] });
  const { api } = target.client;
  const spaceId = await target.spaceCalled('Guide');
  const { items } = await api.listChangeRequests({ path: { spaceId }, query: { status: 'draft' } });
  for (const { id: changeRequestId } of items) {
    const path = { spaceId, changeRequestId };
    const { pages } = await api.getChangeRequestRevision({ path });
    const above = pages.find(({ title }) => title === 'Use')?.id ?? '';
    const comments = await api.listChangeRequestComments({ path });
    expect(comments.items.map(({ body }) => JSON.stringify(body))).toEqual([
      expect.stringContaining(`[it](/pages/${above})`),
    ]);
  }
  expect(items.map(({ subject }) => subject).toSorted()).toEqual(['One', 'Two']);
});

it('a page of a change request has its address where a link of its space, which comes back as a page there, has the title by now: it got another one', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Guide');
  const files = { 'SUMMARY.md': '* [Out](https://example.com/)\n* [Eel](eel.md)\n', 'eel.md': '# Eel\n\nWords.' };
  await importFiles(world, space, files);
  const { Out: link = '', Eel: page = '' } = await pagesOf(world, space);
  await addRequest(world, space, { subject: 'Waiting', changes: [insert('Ant', 'Words.')] });
  await edit(world, space, { type: 'update_page', page, title: 'Out', slug: 'y' });
  await edit(world, space, { type: 'update_page', page: link, title: 'Eel' });
  await world.sync();
  await using target = await createTarget(world);
  const { told } = await restored(target);
  // That the link is a page now.
  const said = expect.stringContaining('takes documents alone: 1 link came back as a document') as string;
  expect(told.map(([kind, , why]) => [kind, why])).toEqual([['revision', said]]);
  const { api } = target.client;
  const spaceId = await target.spaceCalled('Guide');
  const { items } = await api.listChangeRequests({ path: { spaceId }, query: { status: 'draft' } });
  const path = { spaceId, changeRequestId: items[0]?.id ?? '' };
  const { pages } = await api.getChangeRequestRevision({ path });
  expect(pages.map(({ title, slug }) => [title, slug])).toEqual([
    ['Out', expect.stringMatching(/^link-/)],
    ['Eel', 'eel'],
    ['Ant', 'ant'],
  ]);
});
