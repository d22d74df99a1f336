// Pages below a page of which an import has made a link: nothing is imported or moved below a link.
import { expect, it } from 'vitest';
import { addSpace, edit, importFiles, pagesOf } from '../support/content.ts';
import { bareAnew, type Bare } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';
import { type Plan } from '../../src/restore/index.ts';
import { planTree } from '../support/plan-tree.ts';

const PAGES = {
  'SUMMARY.md':
    '* [Ant](ant.md)\n  * [Bee](bee.md)\n    * [Cat](cat.md)\n      * [Kit](kit.md)\n  * [Fly](fly.md)\n* [Dog](dog.md)\n',
  'ant.md': '# Ant\n\nSee the [cat](cat.md).\n',
  'bee.md': '# Bee\n\nBuzz.\n',
  'cat.md': '# Cat\n\nMeow.\n',
  'kit.md': '# Kit\n\nSmall.\n',
  'fly.md': '# Fly\n\nUp.\n',
  'dog.md': '# Dog\n\nSee the [cat](cat.md).\n',
};

const DAY = 86_400_000;

interface Linked extends Bare {
  readonly space: string;
  readonly pages: Readonly<Record<string, string>>;
}

const anew = bareAnew(async (world) => {
  const space = await addSpace(world, 'Zoo');
  await importFiles(world, space, PAGES);
  return { space, pages: await pagesOf(world, space) };
});

/** A space whose page Ant has become a link, with the pages below it. */
async function linked(): Promise<Linked> {
  const all = await anew();
  await importFiles(all.world, all.space, { 'SUMMARY.md': '* [Ant](https://example.com)\n' });
  return all;
}

function told({ steps }: Plan): string[] {
  return steps.flatMap(({ kind, title, note, pages }) => [
    `${kind} ${title}: ${note}`,
    ...(pages?.missing ?? []).map((one) => `+ ${one.title}: ${one.why.join(', ')}`),
  ]);
}

async function pathsOf({ world, space }: { world: Pick<Linked['world'], 'api'>; space: string }): Promise<string[]> {
  const flat = (pages: readonly { title: string; path?: string; pages?: readonly never[] }[]): string[] =>
    pages.flatMap((one) => [one.path ?? one.title, ...flat(one.pages ?? [])]);
  return flat((await world.api.getRevision({ path: { spaceId: space } })).pages as never);
}

it('restore/in-place brings back at the top what stood below a page that is a link now, and says so', async () => {
  const all = await linked();
  await using world = all.world;
  // The platform shows what stands below a link only to who asks for it by its id.
  for (const title of ['Cat', 'Fly'])
    await edit(world, all.space, { type: 'delete_page', page: all.pages[title] ?? '' });
  const plan = await all.place.plan();
  const why = 'gone, page Ant above it is a link now, and nothing goes below a link: comes back at the top';
  const coming = told(plan).filter((line) => line.startsWith('+'));
  expect(coming.toSorted()).toEqual([`+ Cat: ${why}`, `+ Fly: ${why}`, '+ Kit: gone']);
  const { failures, restore } = await all.place.apply(plan);
  expect(failures).toEqual([]);
  expect(new Set(await pathsOf(all))).toEqual(new Set(['Ant', 'cat', 'cat/kit', 'fly', 'dog']));
  const undo = await all.place.undo(restore, plan);
  expect((await all.place.apply(undo)).failures).toEqual([]);
  expect(await pathsOf(all)).toEqual(['Ant', 'dog']);
});

it('restore/in-place leaves what was moved out of a link where it is, and mends all else of the space', async () => {
  const all = await linked();
  await using world = all.world;
  const { Fly: fly = '', Dog: dog = '' } = all.pages;
  await edit(
    world,
    all.space,
    { type: 'update_page', page: fly, into: null },
    { type: 'update_page', page: dog, title: 'Wolf' },
  );
  const plan = await all.place.plan();
  const why = 'a page above it is a link now, and no operation puts a page below a link';
  expect(told(plan)).toContainEqual(`page Fly: stays where it is: ${why}`);
  expect((await all.place.apply(plan)).failures).toEqual([]);
  expect(Object.keys(await pagesOf(world, all.space)).toSorted()).toEqual(['Ant', 'Dog', 'Fly']);
});

it('restore/apply puts at the top of a new space what stood below a link, and says so: it was lost', async () => {
  const all = await linked();
  await using world = all.world;
  await importFiles(world, all.space, { 'SUMMARY.md': '* [Fly](fly.md)\n', 'fly.md': '# Fly\n\nAnother.\n' });
  // A tree that leaves out what is there is believed the day after.
  await world.sync();
  world.clock.advance(DAY);
  const { id: snapshot, state } = (await world.sync()).snapshot;
  expect(state).toBe('complete');
  await using target = await createTarget(world);
  const plan = await target.plan({ snapshot });
  expect(planTree(plan).join('\n')).toContain('7 pages (2 at the top, since nothing goes below a link) and');
  const { restore, failures } = await target.apply(plan);
  expect(failures).toEqual([]);
  expect(await target.verify(restore)).toMatchObject({ passed: true });
  const { items } = await target.client.api.listMemberSpaces({
    path: { organizationId: target.organization, userId: target.platform.owner },
  });
  const zoo = items.find(({ space }) => space.title === 'Zoo')?.space.id ?? '';
  const paths = await pathsOf({ world: { api: target.client.api }, space: zoo });
  expect(paths).toEqual(['Ant', 'dog', 'fly', 'bee', 'bee/cat', 'bee/cat/kit', expect.stringMatching(/^fly-/)]);
});

it('restore/in-place takes no link away below which there is a page of the snapshot: it went with it', async () => {
  const all = await linked();
  await using world = all.world;
  const { Dog: dog = '' } = all.pages;
  await edit(world, all.space, { type: 'insert_page', title: 'New', document: { markdown: 'New.' } });
  const { New: added = '' } = await pagesOf(world, all.space);
  await edit(world, all.space, { type: 'update_page', page: dog, into: added });
  await importFiles(world, all.space, { 'SUMMARY.md': '* [New](https://example.com)\n' });
  const { failures } = await all.place.apply(await all.place.plan({ added: true }));
  expect(failures.map(({ error }) => error)).toEqual(['page New stays: pages that are not to go stand below it']);
  const page = await world.api.getPage({ path: { spaceId: all.space, pageId: dog } });
  expect(page.title).toBe('Dog');
});
