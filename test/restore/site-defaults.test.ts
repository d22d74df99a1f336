// In place: what sites and sections open with.
import { afterEach, beforeEach, expect, it } from 'vitest';
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
  await world.sync();
});

afterEach(() => world[Symbol.asyncDispose]());

async function sectionIds(): Promise<Record<string, string>> {
  const { items } = await world.api.listSiteSections({ path });
  return Object.fromEntries(items.map(({ title, id }) => [title, id]));
}

/** Titles of the section that the site opens with, and of the space that section The guide does. */
async function opensWith(): Promise<(string | undefined)[]> {
  const { items: sections } = await world.api.listSiteSections({ path });
  const { items: places } = await world.api.listSiteSpaces({ path });
  const guide = sections.find(({ title }) => title === 'The guide')?.id;
  const first = places.find((one) => one.section === guide && one.default);
  return [sections.find((one) => one.default)?.title, first?.space.title];
}

it('restore/in-place: a site and a section that open with another part are set back, and an undo takes that back', async () => {
  const { Start: start = '', 'The guide': guide = '' } = await sectionIds();
  const { items: places } = await world.api.listSiteSpaces({ path });
  const other = places.find((one) => one.section === guide && !one.default)?.id ?? '';
  await world.api.updateSite({ path, body: { defaultSiteSection: start } });
  await world.api.updateSiteSection({ path: { ...path, siteSectionId: guide }, body: { defaultSiteSpace: other } });
  expect(await opensWith()).toEqual(['Start', 'Guide']);
  const plan = await place.plan();
  expect(plan.steps.map(({ kind, note }) => `${kind} ${note}`).toSorted()).toEqual([
    'site opens with The guide',
    'site-section opens with Reference',
  ]);
  const { restore, failures } = await place.apply(plan);
  expect([failures, await opensWith()]).toEqual([[], ['The guide', 'Reference']]);
  expect((await place.verify(restore)).passed).toBe(true);
  await place.apply(await place.undo(restore, plan));
  expect(await opensWith()).toEqual(['Start', 'Guide']);
});

it('restore/in-place: the section that a site opened with is opened with again when it is made anew', async () => {
  const { Start: start = '', 'The guide': guide = '' } = await sectionIds();
  await world.api.updateSite({ path, body: { defaultSiteSection: start } });
  await world.api.deleteSiteSection({ path: { ...path, siteSectionId: guide } });
  // What a listing lacks counts as gone when it is lacking for the second time.
  await world.sync();
  const { failures } = await place.apply(await place.plan({ changed: false }));
  expect([failures, await opensWith()]).toEqual([[], ['The guide', 'Reference']]);
});

it('restore/in-place: a space out of the bin that its site shows again by itself is no failed step', async () => {
  const { items: before } = await world.api.listSiteSpaces({ path });
  const shown = before.find(({ space }) => space.title === 'Reference');
  await world.api.deleteSpace({ path: { spaceId: shown?.space.id ?? '' } });
  // What a listing lacks counts as gone when it is lacking for the second time.
  await world.sync();
  const plan = await place.plan({ changed: false });
  expect(plan.steps.map(({ part, kind }) => `${part} ${kind}`)).toEqual([
    'undelete space',
    'settings site-space',
    'defaults site-section',
  ]);
  const { restore, failures } = await place.apply(plan);
  const { items: after } = await world.api.listSiteSpaces({ path });
  expect(failures).toEqual([]);
  expect(after.map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted());
  expect((await place.verify(restore)).passed).toBe(true);
});

it('restore/verify passes for a place that its site opens with, since the one which it opened with is gone and was not asked for: it failed for that', async () => {
  const { 'The guide': guide = '' } = await sectionIds();
  const { items: places } = await world.api.listSiteSpaces({ path });
  const [first, other] = [true, false].map((isFirst) =>
    places.find((one) => one.section === guide && one.default === isFirst),
  );
  await world.api.deleteSiteSpace({ path: { ...path, siteSpaceId: first?.id ?? '' } });
  await world.api.updateSiteSpace({ path: { ...path, siteSpaceId: other?.id ?? '' }, body: { path: 'elsewhere' } });
  // What a listing lacks counts as gone when it is lacking for the second time.
  await world.sync();
  const plan = await place.plan({ missing: false });
  expect(plan.steps.map(({ kind, note }) => `${kind} ${note}`)).toEqual(['site-space path']);
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  const { passed, differences } = await place.verify(restore);
  expect([passed, differences.map(({ field }) => field)]).toEqual([true, ['default']]);
});
