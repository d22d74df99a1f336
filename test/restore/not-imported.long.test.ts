// Groups and links stand in a table of contents alone: what they show beside title and address no import tells.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addRequest, addSpace, edit, flatten, importFiles, insert, pagesOf, type Change } from '../support/content.ts';
import { worldAnew } from '../support/copied-world.ts';
import { createTarget, withoutImport, type Target } from '../support/restore.ts';
import type { TestWorld } from '../support/world.ts';

const NOTE =
  'what no import tells of 2 pages that are groups or links (emoji, hidden), by a change request that is merged at once';

let world: TestWorld;

const anew = worldAnew(async (one) => {
  const space = await addSpace(one, 'Guide');
  const summary = '* [In](in.md)\n* [Out](https://example.com)\n\n## More\n\n* [Below](below.md)\n';
  await importFiles(one, space, { 'SUMMARY.md': summary, 'in.md': '# In\n', 'below.md': '# Below\n' });
  const { In: page = '', Out: link = '', More: group = '' } = await pagesOf(one, space);
  const set = (id: string, fields: object): Change => ({ type: 'update_page', page: id, ...fields });
  await edit(one, space, set(link, { hidden: true }), set(group, { emoji: '1f4da' }));
  const shown = [set(group, { emoji: '', description: 'All else' }), set(link, { emoji: '1f517' })];
  await addRequest(one, space, { subject: 'Shown', changes: shown });
  await addRequest(one, space, { subject: 'Text', changes: [set(page, { document: { markdown: '# In\n\nMore.' } })] });
  await addRequest(one, space, { subject: 'New', changes: [insert('New', '# New\n')] });
  await one.sync();
  return {};
});

beforeEach(async () => {
  ({ world } = await anew());
});

afterEach(() => world[Symbol.asyncDispose]());

async function exactDifferences(target: Target, restore: string): Promise<unknown> {
  const { passed, differences } = await target.verify(restore);
  return [passed, differences.filter((one) => one.class === 'exact').map(({ kind, field }) => `${kind}.${field}`)];
}

it('restore brings back what groups and links show, in spaces and change requests: hidden ones came back shown, and no drill of a request passed that changed it', async () => {
  await using target = await createTarget(world);
  const plan = await target.plan();
  expect(plan.steps.filter(({ part }) => part === 'name').map(({ note }) => note)).toEqual([NOTE]);
  const { restore, failures } = await target.apply(plan);
  expect(failures).toEqual([]);
  expect(await exactDifferences(target, restore)).toEqual([true, []]);
  const spaceId = await guideOf(target);
  const { pages } = await target.client.api.getRevision({ path: { spaceId } });
  expect(flatten(pages).find(({ title }) => title === 'Out')?.hidden).toBe(true);
});

it.each(['lost', 'killed'] as const)('restore brings it back though every write is %s', async (cut) => {
  await using target = await createTarget(world);
  const { restore, result } = await target.endure(await target.plan(), cut);
  expect(result.failures).toEqual([]);
  expect(await exactDifferences(target, restore)).toEqual([true, []]);
});

it('restore for review brings it in the change request that waits', async () => {
  await using target = await createTarget(world);
  const { restore, failures } = await target.apply(await target.plan({ review: true }));
  expect(failures).toEqual([]);
  expect(await exactDifferences(target, restore)).toEqual([true, []]);
});

it('restore apply says which groups and links a target does not edit, sets the others and leaves no request open', async () => {
  await using target = await createTarget(world);
  target.platform.faults = [{ operation: 'changeContent', effect: { status: 400 } }];
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures.map(({ error }) => error)).toContainEqual(
    expect.stringMatching(/^the edit of page Out was refused: .* answered 400.*; the edit of page More was refused: /),
  );
  expect(await exactDifferences(target, restore)).toEqual([
    false,
    expect.arrayContaining(['page.hidden', 'page.emoji']),
  ]);
  const path = { spaceId: await guideOf(target) };
  const open = await target.client.api.listChangeRequests({ path, query: { status: 'open' } });
  expect(open.items.map(({ subject }) => subject).filter((subject) => subject.startsWith('Restore'))).toEqual([]);
});

it('restore says it of a target that edits no pages at all', async () => {
  await using target = await createTarget(world);
  target.platform.faults = [{ operation: 'changeContent', effect: { status: 501 } }];
  const { failures } = await target.apply(await target.plan());
  expect(failures.map(({ error }) => error)).toContainEqual(
    expect.stringContaining('what groups and links show, are as the import made them'),
  );
});

it('restore without import sets it with the pages that stand for groups and links, and edits nothing twice', async () => {
  await using target = await createTarget(world);
  withoutImport(target.platform);
  await target.apply(await target.plan());
  const { pages } = await target.client.api.getRevision({ path: { spaceId: await guideOf(target) } });
  expect(flatten(pages).map(({ title, hidden = false, emoji = '' }) => [title, hidden, emoji])).toEqual([
    ['In', false, ''],
    ['Out', true, ''],
    ['More', false, '1f4da'],
    ['Below', false, ''],
  ]);
  const path = { spaceId: await guideOf(target) };
  const merged = await target.client.api.listChangeRequests({ path, query: { status: 'merged' } });
  expect(merged.items.filter(({ subject }) => subject.startsWith('Restore'))).toHaveLength(1);
});

async function guideOf({ client, organization, platform }: Target): Promise<string> {
  const path = { organizationId: organization, userId: platform.owner };
  const { items } = await client.api.listMemberSpaces({ path });
  return items.find(({ space }) => space.title === 'Guide')?.space.id ?? '';
}
