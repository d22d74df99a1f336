// What a site showed is brought back while one of the spaces stands, and stays, in another organization.
import { expect, it } from 'vitest';
import { addCollection, addSpace } from '../support/content.ts';
import { bareAnew, type Bare } from '../support/in-place.ts';

interface Shown extends Bare {
  readonly path: { readonly organizationId: string; readonly siteId: string };
  readonly sectioned: { readonly organizationId: string; readonly siteId: string };
}

/** Two sites show a space that goes to another organization and one that stays: as they are, and in a section. */
const anew = bareAnew(async (world) => {
  const organizationId = world.organization;
  const other = world.platform.createOrganization({ title: 'Other' });
  const shelf = await addCollection(world, 'Shelf');
  const going = await addSpace(world, 'Going', shelf);
  const spaces = [going, await addSpace(world, 'Staying')];
  const siteOf = async (title: string, shown: string[]): Promise<Shown['path']> => {
    const { id } = await world.api.createSite({ path: { organizationId }, body: { title, spaces: shown } });
    return { organizationId, siteId: id };
  };
  const [path, sectioned] = [await siteOf('Docs', spaces), await siteOf('More', [])];
  const { id: sectionId } = await world.api.createSiteSection({
    path: sectioned,
    body: { spaceId: going, title: 'Part' },
  });
  await world.api.createSiteSpace({ path: sectioned, body: { spaceId: spaces[1] ?? '', sectionId } });
  return { path, sectioned, shelf, sectionId, other };
});

const missingOf = (world: Shown['world']) => ({
  scope: `organization:${world.organization}`,
  missing: true,
  changed: false,
  added: false,
});

it('restore/in-place makes a section with the spaces that stand in its organization: it asked to show one that somebody has transferred, was refused, and so was each plan after it', async () => {
  const { world, place, sectioned: path, shelf, sectionId, other } = await anew();
  await using _world = world;
  await world.api.deleteSiteSection({ path: { ...path, siteSectionId: sectionId } });
  await world.api.transferCollection({ path: { collectionId: shelf }, body: { organization: other } });
  const plan = await place.plan(missingOf(world));
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  const { items } = await world.api.listSiteSpaces({ path });
  expect(items.map(({ title, section }) => [title, section !== undefined])).toEqual([['Staying', true]]);
  expect((await place.verify(restore)).passed).toBe(true);
  expect((await place.plan(missingOf(world))).steps.filter(({ part }) => part !== 'none')).toEqual([]);
});

it('restore/in-place makes a site with the spaces that stand in its organization: it asked to show one that somebody has transferred, and was refused', async () => {
  const { world, place, path, shelf, other } = await anew();
  await using _world = world;
  await world.api.deleteSite({ path });
  await world.api.transferCollection({ path: { collectionId: shelf }, body: { organization: other } });
  const { restore, failures } = await place.apply(await place.plan(missingOf(world)));
  expect(failures).toEqual([]);
  const { items: sites } = await world.api.listSites({ path });
  const siteId = sites.find(({ title }) => title === 'Docs')?.id ?? '';
  const { items } = await world.api.listSiteSpaces({ path: { ...path, siteId } });
  expect(items.map(({ title }) => title)).toEqual(['Staying']);
  expect((await place.verify(restore)).passed).toBe(true);
  expect((await place.plan(missingOf(world))).steps.filter(({ part }) => part !== 'none')).toEqual([]);
});
