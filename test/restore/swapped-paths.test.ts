// In place: what people find a part of a site by, and no other may have beside it; two that swapped theirs hold each other's.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import { inPlace, type InPlace } from '../support/in-place.ts';
import { organizedWorld } from '../support/furnished.ts';
import type { TestWorld } from '../support/world.ts';

let world: TestWorld;
let place: InPlace;
let path: { organizationId: string; siteId: string };

beforeEach(async () => {
  const organized = await organizedWorld();
  world = organized;
  place = inPlace(world);
  path = { organizationId: world.organization, siteId: organized.made.site };
});

afterEach(() => world[Symbol.asyncDispose]());

const pathsOf = (items: readonly { readonly id: string; readonly path: string }[]): Map<string, string> =>
  new Map(items.map((one) => [one.id, one.path]));

/** Of the sections, and of the spaces of the section that has two. */
async function paths(): Promise<Map<string, string>[]> {
  const { items: sections } = await world.api.listSiteSections({ path });
  const { items: places } = await world.api.listSiteSpaces({ path });
  return [pathsOf(sections), pathsOf(places)];
}

async function setSection(siteSectionId: string, value: string): Promise<void> {
  await world.api.updateSiteSection({ path: { ...path, siteSectionId }, body: { path: value } });
}

async function setPlace(siteSpaceId: string, value: string): Promise<void> {
  await world.api.updateSiteSpace({ path: { ...path, siteSpaceId }, body: { path: value } });
}

/** Two sections, and two spaces of one section. */
async function two(): Promise<{ sections: string[]; places: string[] }> {
  const { items: sections } = await world.api.listSiteSections({ path });
  const { items: places } = await world.api.listSiteSpaces({ path });
  const guide = sections.find(({ title }) => title === 'The guide')?.id;
  return {
    sections: sections.slice(0, 2).map(({ id }) => id),
    places: places.filter(({ section }) => section === guide).map(({ id }) => id),
  };
}

async function swap(): Promise<void> {
  const { sections, places } = await two();
  const [ofSections, ofPlaces] = await paths();
  const swapOf = async ([a = '', b = '']: string[], was: Map<string, string> | undefined, set: typeof setPlace) => {
    await set(a, 'between');
    await set(b, was?.get(a) ?? '');
    await set(a, was?.get(b) ?? '');
  };
  await swapOf(sections, ofSections, setSection);
  await swapOf(places, ofPlaces, setPlace);
}

it('restore/in-place: sections, and spaces of a section, that swapped their paths get them back, and an undo swaps them again: each was refused for the other, and no plan ended that', async () => {
  await world.sync();
  const before = await paths();
  await swap();
  const swapped = await paths();
  expect(swapped).not.toEqual(before);
  const plan = await place.plan();
  expect(plan.steps).toHaveLength(4);
  const { restore, failures } = await place.apply(plan);
  expect([failures, await paths()]).toEqual([[], before]);
  expect((await place.verify(restore)).passed).toBe(true);
  const undo = await place.apply(await place.undo(restore, plan));
  expect([undo.failures, await paths()]).toEqual([[], swapped]);
});

it.each(['lost', 'killed'] as const)(
  'restore/in-place: what has given way to another goes on to its own path where each write is %s once',
  async (cut) => {
    await world.sync();
    const before = await paths();
    await swap();
    const { result } = await place.endure(await place.plan(), cut);
    expect([result.failures, await paths()]).toEqual([[], before]);
  },
);

it('restore/in-place: the path of a space that somebody has added since stays its own where one that comes back had it: the other was sent away without a word', async () => {
  const { places } = await two();
  await world.sync();
  const [gone = ''] = places;
  const taken = (await paths())[1]?.get(gone) ?? '';
  await world.api.deleteSiteSpace({ path: { ...path, siteSpaceId: gone } });
  const stranger = await addSpace(world, 'Casino');
  const { items: sections } = await world.api.listSiteSections({ path });
  const sectionId = sections.find(({ title }) => title === 'The guide')?.id ?? '';
  const { id } = await world.api.createSiteSpace({ path, body: { spaceId: stranger, sectionId } });
  await setPlace(id, taken);
  await world.sync();
  const { failures } = await place.apply(await place.plan());
  expect((await paths())[1]?.get(id)).toBe(taken);
  expect(failures).toEqual([
    expect.objectContaining({ kind: 'site-space', error: expect.stringContaining('has the path') as string }),
  ]);
});
