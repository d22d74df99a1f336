// What a verification says of collections, spaces and parts of a site that stand in another order than they stood. Nothing but the
// listings tells it, and whether a platform lists in the order that was set is not documented: so it is told, and fails nothing.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addCollection, addSpace } from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
import { createTarget, type Target } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

let world: TestWorld;
let target: Target;
let restore: string;

beforeAll(async () => {
  world = await TestWorld.create();
  const { api, organization } = world;
  const shelf = await addCollection(world, 'Shelf');
  for (const title of ['Desk', 'Box']) await addCollection(world, title);
  const spaces: string[] = [];
  for (const title of ['One', 'Two', 'Three']) spaces.push(await addSpace(world, title, shelf));
  const path = { organizationId: organization };
  await api.createSite({ path, body: { title: 'Plain', spaces } });
  const { id: siteId } = await api.createSite({ path, body: { title: 'Parted', spaces: [] } });
  for (const [at, title] of ['Red', 'Green', 'Blue', 'Grey'].entries()) {
    const spaceId = spaces[at % spaces.length] ?? '';
    await api.createSiteSection({ path: { ...path, siteId }, body: { spaceId, title } });
  }
  const { items } = await api.listSiteSections({ path: { ...path, siteId } });
  const sections = items.filter(({ title }) => title === 'Blue').map(({ id }) => id);
  await api.createSiteSectionGroup({ path: { ...path, siteId }, body: { title: 'Colours', sections } });
  await world.sync();
  target = await createTarget(world);
  ({ restore } = await target.apply(await target.plan()));
});

afterAll(async () => {
  await target[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** What somebody called it and where it is, as the verification tells it. */
async function told(): Promise<unknown[]> {
  const { passed, differences } = await target.verify(restore);
  expect(passed).toBe(true);
  const named = differences.filter(({ field }) => field === 'position');
  return named.map(({ kind, class: claim, expected, got }) => [kind, claim, expected, got]);
}

const path = (): { organizationId: string } => ({ organizationId: target.organization });

async function siteCalled(title: string): Promise<string> {
  const { items } = await target.client.api.listSites({ path: path() });
  return items.find((one) => one.title === title)?.id ?? '';
}

it('restore/verify finds the order of everything as it was, and counts it', async () => {
  expect(await told()).toEqual([]);
  const { betterThanClaimed } = await target.verify(restore);
  const ordered = betterThanClaimed.filter(({ field }) => field === 'position');
  expect(Object.fromEntries(ordered.map(({ kind, resources }) => [kind, resources]))).toEqual({
    collection: 3,
    space: 3,
    'site-section': 3,
    'site-section-group': 1,
    'site-space': 3,
  });
});

it('restore/verify tells which collection stands in another place among the others: it compared the order of pages alone', async () => {
  const { api } = target.client;
  const { items } = await api.listCollections({ path: path() });
  const [first, last] = [items[0], items.find(({ title }) => title === 'Box')];
  const move = (position: object): Promise<unknown> =>
    api.moveCollection({ path: { collectionId: last?.id ?? '' }, body: { position } });
  await move({ before: { type: 'collection', collection: first?.id ?? '' } });
  expect(await told()).toEqual([['collection', 'bestEffort', 'behind Desk', 'first']]);
  await move({});
  expect(await told()).toEqual([]);
});

it('restore/verify tells which space of a collection stands in another place', async () => {
  const { api } = target.client;
  const spaceId = await target.spaceCalled('One');
  await api.moveSpace({ path: { spaceId }, body: { parent: await parentOf(spaceId) } });
  expect(await told()).toEqual([['space', 'bestEffort', 'first', 'behind Three']]);
});

async function parentOf(spaceId: string): Promise<string | null> {
  return (await target.client.api.getSpace({ path: { spaceId } })).parent ?? null;
}

it('restore/verify tells which section or group of a site, and which space at its root, stands in another place', async () => {
  const { api } = target.client;
  const [plain, parted] = [await siteCalled('Plain'), await siteCalled('Parted')];
  const { items: places } = await api.listSiteSpaces({ path: { ...path(), siteId: plain } });
  const { items: sections } = await api.listSiteSections({ path: { ...path(), siteId: parted } });
  const placed = places.find(({ title }) => title === 'Two')?.id ?? '';
  const red = sections.find(({ title }) => title === 'Red')?.id ?? '';
  await api.moveSiteSpace({ path: { ...path(), siteId: plain, siteSpaceId: placed }, body: {} });
  await api.moveSiteSection({ path: { ...path(), siteId: parted, siteSectionId: red }, body: {} });
  const kinds = (await told()).filter((one) => !String(one).startsWith('space'));
  expect(kinds).toEqual([
    ['site-section', 'bestEffort', 'first', 'behind Colours'],
    ['site-space', 'bestEffort', 'behind One', 'behind Three'],
  ]);
});

it('restore/verify in place looks at the order of what the plan moves, and leaves that of others to them', async () => {
  const place = inPlace(world);
  const { items } = await world.api.listCollections({ path: { organizationId: world.organization } });
  const idOf = (title: string): string => items.find((one) => one.title === title)?.id ?? '';
  const toEnd = (title: string): Promise<unknown> =>
    world.api.moveCollection({ path: { collectionId: idOf(title) }, body: {} });
  await toEnd('Shelf');
  const { restore: mend } = await place.apply(await place.plan());
  const positions = async (): Promise<unknown[]> =>
    (await place.verify(mend)).differences.filter(({ field }) => field === 'position').map(({ key }) => key);
  expect(await positions()).toEqual([]);
  await toEnd('Desk');
  expect(await positions()).toEqual([]);
  await toEnd('Box');
  await toEnd('Shelf');
  expect(await positions()).toEqual([idOf('Shelf')]);
});
