// Pages below a page of which an import has made a link: nothing stands below a link.
import { expect, it } from 'vitest';
import { addSpace, edit, importFiles, pagesOf } from '../support/content.ts';
import { bareAnew, type Bare } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';
import { changing, rewriting } from '../support/rewriting.ts';
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

interface Linked extends Bare {
  readonly space: string;
  readonly pages: Readonly<Record<string, string>>;
}

const anew = bareAnew(async (world) => {
  const space = await addSpace(world, 'Zoo');
  await importFiles(world, space, PAGES);
  return { space, pages: await pagesOf(world, space) };
});

/** A space whose page Ant has become a link: what stood below it, Bee and Fly, stands behind all else. */
async function linked(): Promise<Linked> {
  const all = await anew();
  await importFiles(all.world, all.space, { 'SUMMARY.md': '* [Ant](https://example.com)\n' });
  return all;
}

/** As a platform may show it that has pages below links. */
function asLink({ id, title, pages }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { id, title, type: 'link', href: 'https://example.com', pages };
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
  for (const title of ['Bee', 'Fly'])
    await edit(world, all.space, { type: 'delete_page', page: all.pages[title] ?? '' });
  const plan = await all.place.plan();
  const why = 'gone, page Ant above it is a link now, and nothing goes below a link: comes back at the top';
  const coming = told(plan).filter((line) => line.startsWith('+'));
  expect(coming.toSorted()).toEqual([`+ Bee: ${why}`, '+ Cat: gone', `+ Fly: ${why}`, '+ Kit: gone']);
  const { failures, restore } = await all.place.apply(plan);
  expect(failures).toEqual([]);
  expect(new Set(await pathsOf(all))).toEqual(new Set(['Ant', 'bee', 'bee/cat', 'bee/cat/kit', 'fly', 'dog']));
  const undo = await all.place.undo(restore, plan);
  expect((await all.place.apply(undo)).failures).toEqual([]);
  expect(await pathsOf(all)).toEqual(['Ant', 'dog']);
});

it('restore/in-place sets back at the top what has the place of a page that stood below what is a link now: the step failed, whatever was tried', async () => {
  const all = await linked();
  await using world = all.world;
  await edit(world, all.space, { type: 'delete_page', page: all.pages['Bee'] ?? '' });
  await importFiles(world, all.space, { 'SUMMARY.md': '* [Bee](bee.md)\n', 'bee.md': '# Bee\n\nAnother.\n' });
  const plan = await all.place.plan({ added: true });
  const [step] = plan.steps.filter(({ part }) => part === 'pages');
  expect(step?.pages?.changed).toMatchObject([
    { title: 'Bee', why: ['another page is in its place', expect.stringContaining('comes back at the top')] },
  ]);
  const { failures, restore } = await all.place.apply(plan);
  expect(failures).toEqual([]);
  expect(new Set(await pathsOf(all))).toEqual(new Set(['Ant', 'bee', 'bee/cat', 'bee/cat/kit', 'fly', 'dog']));
  expect(await all.place.verify(restore)).toMatchObject({ passed: true });
});

it('restore/in-place leaves what an import has put beside a link where it is, and mends all else of the space', async () => {
  const all = await linked();
  await using world = all.world;
  await edit(world, all.space, { type: 'update_page', page: all.pages['Dog'] ?? '', title: 'Wolf' });
  const plan = await all.place.plan();
  const why = 'a page above it is a link now, and no operation puts a page below a link';
  expect(told(plan)).toContainEqual(`page Bee: stays where it is: ${why}`);
  expect(told(plan)).toContainEqual(`page Fly: stays where it is: ${why}`);
  expect((await all.place.apply(plan)).failures).toEqual([]);
  const titles = Object.keys(await pagesOf(world, all.space));
  expect(titles.toSorted()).toEqual(['Ant', 'Bee', 'Cat', 'Dog', 'Fly', 'Kit']);
});

it('restore/apply puts at the top of a new space what stood below a link, and says so: it was lost', async () => {
  const all = await anew();
  await using world = all.world;
  await importFiles(world, all.space, { 'SUMMARY.md': '* [Fly](fly.md)\n', 'fly.md': '# Fly\n\nAnother.\n' });
  await using proxy = await rewriting(world);
  proxy.rewrite = changing((one) => (one['title'] === 'Ant' ? asLink(one) : one));
  const { id: snapshot, state } = (await world.sync({ client: proxy.client })).snapshot;
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

it('restore/in-place takes a link away that an import has made, and leaves the page of the snapshot that stood below it', async () => {
  const all = await linked();
  await using world = all.world;
  const { Dog: dog = '' } = all.pages;
  await edit(world, all.space, { type: 'insert_page', title: 'New', document: { markdown: 'New.' } });
  const { New: added = '' } = await pagesOf(world, all.space);
  await edit(world, all.space, { type: 'update_page', page: dog, into: added });
  await importFiles(world, all.space, { 'SUMMARY.md': '* [New](https://example.com)\n' });
  expect((await all.place.apply(await all.place.plan({ added: true }))).failures).toEqual([]);
  const left = await pagesOf(world, all.space);
  expect([left['Dog'], left['New']]).toEqual([dog, undefined]);
});

it('restore/in-place leaves a page at the top that is a group now, and says so: apply was refused to put it below another one', async () => {
  const all = await anew();
  const { space, pages, place } = all;
  await using world = all.world;
  await edit(world, space, { type: 'update_page', page: pages['Bee'] ?? '', into: null });
  await importFiles(world, space, { 'SUMMARY.md': '## Bee\n\n* [In](in.md)\n', 'in.md': '# In\n' });
  const plan = await place.plan();
  expect(told(plan)).toContain(
    'page Bee: stays where it is: it is a group now, and groups stand at the top of a space only',
  );
  const { failures, restore } = await place.apply(plan);
  expect(failures).toEqual([]);
  expect((await place.verify(restore)).passed).toBe(true);
  expect((await place.plan()).steps.filter(({ part }) => part !== 'none')).toEqual([]);
});
