// What is made after its later siblings stands where it stood all the same.
import { expect, it } from 'vitest';
import type { ApiClient } from '../../src/client/index.ts';
import { stepsOf } from '../../src/mirror/index.ts';
import { addCollection, addSpace } from '../support/content.ts';
import { bare } from '../support/in-place.ts';
import { createTarget, nthMade } from '../support/restore.ts';

async function titlesIn({ api }: ApiClient, organizationId: string): Promise<string[]> {
  const { items } = await api.listCollections({ path: { organizationId } });
  const titles: string[] = [];
  for (const { id, title } of items) {
    const spaces = await api.listCollectionSpaces({ path: { collectionId: id } });
    titles.push(title, ...spaces.items.map((space) => space.title));
  }
  return titles;
}

it('restore/resume keeps the order of collections and spaces of which one had failed at first', async () => {
  const { world } = await bare(async (world) => {
    const shelf = await addCollection(world, 'Shelf');
    for (const title of ['One', 'Two', 'Three']) await addSpace(world, title, shelf);
    await addCollection(world, 'Last');
  });
  await using _world = world;
  await using target = await createTarget(world);
  const plan = await target.plan();
  const nth = nthMade(plan, 'collection', 'Shelf');
  target.platform.faults = [{ operation: 'createCollection', nth, effect: 'cut-before' }];
  const { restore, failed } = await target.apply(plan);
  expect(failed).toBe(1);
  target.platform.faults = [{ operation: 'createSpace', nth: 2, effect: 'cut-before' }];
  await target.resume(restore);
  target.platform.faults = [];
  expect((await target.resume(restore)).failures).toEqual([]);
  const { organization } = world;
  expect(await titlesIn(target.client, target.organization)).toEqual(await titlesIn(world.client, organization));
});

it('restore/in-place brings a section of a site back to where it stood among the others', async () => {
  let siteId = '';
  const { world, place } = await bare(async (world) => {
    const { organization: organizationId } = world;
    siteId = (await world.api.createSite({ path: { organizationId }, body: { title: 'Docs', spaces: [] } })).id;
    for (const title of ['One', 'Two', 'Three']) {
      const spaceId = await addSpace(world, title);
      await world.api.createSiteSection({ path: { organizationId, siteId }, body: { spaceId, title } });
    }
  });
  await using _world = world;
  const path = { organizationId: world.organization, siteId };
  const sections = async (): Promise<{ id: string; title: string }[]> =>
    (await world.api.listSiteSections({ path })).items;
  const first = (await sections()).find(({ title }) => title === 'One');
  await world.api.deleteSiteSection({ path: { ...path, siteSectionId: first?.id ?? '' } });
  // What a listing lacks for the first time is not gone yet.
  await place.plan();
  const { failures } = await place.apply(await place.plan());
  expect(failures).toEqual([]);
  expect((await sections()).map(({ title }) => title)).toEqual(['One', 'Two', 'Three']);
});

it('restore/resume puts a space that a section shows where it stood among the others: it came last, and verify did not pass', async () => {
  const { world } = await bare(async ({ api, organization }) => {
    const path = { organizationId: organization };
    const add = (title: string): Promise<string> => addSpace({ api, organization }, title);
    const { id: siteId } = await api.createSite({ path, body: { title: 'Docs', spaces: [] } });
    const own = { ...path, siteId };
    const { id: sectionId } = await api.createSiteSection({ path: own, body: { spaceId: await add('One') } });
    for (const title of ['Two', 'Three'])
      await api.createSiteSpace({ path: own, body: { spaceId: await add(title), sectionId } });
  });
  await using _world = world;
  await using target = await createTarget(world);
  target.platform.faults = [{ operation: 'createSiteSpace', nth: 1, effect: { status: 400 } }];
  const { restore, failed } = await target.apply(await target.plan());
  expect(failed).toBe(1);
  target.platform.faults = [];
  expect((await target.resume(restore)).failures).toEqual([]);
  expect(await target.verify(restore)).toMatchObject({ passed: true });
});

it('restore/resume makes what the target lets nobody move, and says that it stands behind its later siblings', async () => {
  const { world } = await bare(async (world) => {
    for (const title of ['First', 'Last']) await addCollection(world, title);
  });
  await using _world = world;
  await using target = await createTarget(world);
  const plan = await target.plan();
  const nth = nthMade(plan, 'collection', 'First');
  target.platform.faults = [{ operation: 'createCollection', nth, effect: 'cut-before' }];
  const { restore } = await target.apply(plan);
  target.platform.faults = [{ operation: 'moveCollection', effect: { status: 501 } }];
  const { failed } = await target.resume(restore);
  expect(failed).toBe(0);
  const said = stepsOf(world.mirror, restore).flatMap(({ detail }) => (detail === null ? [] : [detail]));
  expect(said.join()).toContain('it stands behind its later siblings');
  expect(await titlesIn(target.client, target.organization)).toEqual(
    expect.arrayContaining(['First', 'Last']) as string[],
  );
});
