// The order of siblings that people have changed since a restore: its undo leaves it to them, as it does fields.
import { expect, it } from 'vitest';
import { addCollection, addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { bare, type Bare } from '../support/in-place.ts';
import { planTree } from '../support/plan-tree.ts';

/** First, Second and Third, side by side. */
interface Row extends Bare {
  readonly order: () => Promise<string[]>;
  readonly toFront: (title: string) => Promise<void>;
  /** Gives the third another title. */
  readonly rename: (title: string) => Promise<unknown>;
}

interface Site extends Row {
  /** A space Added, that it did not show. */
  readonly showOther: () => Promise<unknown>;
}

const TITLES = ['First', 'Second', 'Third'];

async function collections(): Promise<Row> {
  const { world, place } = await bare(async (one) => {
    for (const title of TITLES) await addCollection(one, title);
  });
  const { api, organization } = world;
  const listed = async () => (await api.listCollections({ path: { organizationId: organization } })).items;
  const idOf = async (title: string) => (await listed()).find((one) => one.title === title)?.id ?? '';
  return {
    world,
    place,
    order: async () => (await listed()).map(({ title }) => title),
    rename: async (title) => api.updateCollection({ path: { collectionId: await idOf('Third') }, body: { title } }),
    toFront: async (title) => {
      const position = { before: { type: 'collection' as const, collection: (await listed())[0]?.id ?? '' } };
      await api.moveCollection({ path: { collectionId: await idOf(title) }, body: { position } });
    },
  };
}

async function pages(): Promise<Row> {
  let space = '';
  const { world, place } = await bare(async (one) => {
    space = await addSpace(one, 'Guide');
    await edit(one, space, ...TITLES.map((title) => insert(title, 'Text.')));
  });
  const change = async (title: string, to: object): Promise<void> =>
    edit(world, space, { type: 'update_page', page: (await pagesOf(world, space))[title] ?? '', ...to });
  return {
    world,
    place,
    order: async () => Object.keys(await pagesOf(world, space)),
    rename: (title) => change('Third', { title }),
    toFront: (title) => change(title, { into: null, at: 0 }),
  };
}

async function site(): Promise<Site> {
  let path = { organizationId: '', siteId: '' };
  let other = '';
  const { world, place } = await bare(async (one) => {
    const spaces = [];
    for (const title of TITLES) spaces.push(await addSpace(one, title));
    other = await addSpace(one, 'Added');
    const organizationId = one.organization;
    const { id } = await one.api.createSite({ path: { organizationId }, body: { title: 'Docs', spaces } });
    path = { organizationId, siteId: id };
  });
  const listed = async () => (await world.api.listSiteSpaces({ path })).items;
  const placeOf = async (title: string) => (await listed()).find((one) => one.title === title);
  return {
    world,
    place,
    order: async () => (await listed()).map(({ title }) => title),
    rename: async (title) => {
      const spaceId = (await placeOf('Third'))?.space.id ?? '';
      return world.api.updateSpace({ path: { spaceId }, body: { title } });
    },
    showOther: () => world.api.createSiteSpace({ path, body: { spaceId: other } }),
    toFront: async (title) => {
      const position = { before: { type: 'site-space' as const, siteSpace: (await listed())[0]?.id ?? '' } };
      const siteSpaceId = (await placeOf(title))?.id ?? '';
      await world.api.moveSiteSpace({ path: { ...path, siteSpaceId }, body: { position } });
    },
  };
}

const rows = [
  ['collections', collections],
  ['what a site shows', site],
  ['pages', pages],
] as const;

it.each(rows)(
  'restore/undo leaves %s in the order in which somebody has put them since, and says so: they were put back over that',
  async (_what, make) => {
    const { world, place, order, toFront } = await make();
    await using _world = world;
    await toFront('Third');
    const plan = await place.plan();
    const { restore } = await place.apply(plan);
    expect(await order()).toEqual(TITLES);
    await toFront('Second');
    const left = planTree(await place.undo(restore, plan));
    const said = '(its place in the order: somebody changed it after the restore: it is left as it is)';
    expect([left.length > 0, left.filter((line) => !line.endsWith(said))]).toEqual([true, []]);
    const all = await place.undo(restore, plan, { evenChanged: true });
    expect((await place.apply(all)).failures).toEqual([]);
    expect((await order())[0]).toBe('Third');
  },
);

it.each(rows)(
  'restore/undo leaves the order of %s of which the restore has set a title back alone: it put them where they had stood before',
  async (_what, make) => {
    const { world, place, order, toFront, rename } = await make();
    await using _world = world;
    await rename('Called otherwise');
    const plan = await place.plan();
    const { restore } = await place.apply(plan);
    await toFront('Third');
    const { restore: back, failures } = await place.apply(await place.undo(restore, plan));
    expect([failures, await order()]).toEqual([[], ['Called otherwise', 'First', 'Second']]);
    expect(await place.verify(back)).toMatchObject({ passed: true });
  },
);

it.each(rows)('restore/undo puts %s back that nobody has moved since', async (_what, make) => {
  const { world, place, order, toFront } = await make();
  await using _world = world;
  await toFront('Third');
  const plan = await place.plan();
  const { restore } = await place.apply(plan);
  const { restore: back, failures } = await place.apply(await place.undo(restore, plan));
  expect([failures, await order()]).toEqual([[], ['Third', 'First', 'Second']]);
  expect(await place.verify(back)).toMatchObject({ passed: true });
});

it('restore/undo shows a space where it stood on its site, among others in the order in which somebody has put them since: that was lost', async () => {
  const { world, place, order, toFront, showOther } = await site();
  await using _world = world;
  await showOther();
  await toFront('Added');
  const plan = await place.plan({ added: true });
  const { restore } = await place.apply(plan);
  expect(await order()).toEqual(TITLES);
  await toFront('Third');
  const { restore: back, failures } = await place.apply(await place.undo(restore, plan));
  expect([failures, await order()]).toEqual([[], ['Added', 'Third', 'First', 'Second']]);
  expect(await place.verify(back)).toMatchObject({ passed: true });
});
