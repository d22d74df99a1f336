// In place: the order of what a site shows, and the groups that its sections stand in.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { inPlace, type InPlace } from '../support/in-place.ts';
import { organize, type Organized } from '../support/organization.ts';
import { worldAnew } from '../support/copied-world.ts';
import { rewriting } from '../support/rewriting.ts';
import type { TestWorld } from '../support/world.ts';

let world: TestWorld;
let place: InPlace;
let made: Organized;
let path: { organizationId: string; siteId: string };

const anew = worldAnew(async (one) => {
  const organized = await organize(one);
  await one.sync();
  return { made: organized };
});

beforeEach(async () => {
  ({ world, made } = await anew());
  place = inPlace(world);
  path = { organizationId: world.organization, siteId: made.site };
});

afterEach(() => world[Symbol.asyncDispose]());

const idOf = (all: readonly { id: string; title: string }[], title: string): string =>
  all.find((one) => one.title === title)?.id ?? '';

async function sections(): Promise<{ id: string; title: string }[]> {
  return (await world.api.listSiteSections({ path })).items;
}

/** What readers see: sections in their order, each with its group and what it shows. */
async function shown(): Promise<string[]> {
  const { items: groups } = await world.api.listSiteSectionGroups({ path });
  const { items } = await world.api.listSiteSections({ path });
  return items.map(({ title, sectionGroup, siteSpaces }) => {
    const group = groups.find(({ id }) => id === sectionGroup)?.title;
    return `${group === undefined ? '' : `${group} / `}${title}: ${siteSpaces.map((one) => one.title).join(', ')}`;
  });
}

async function expectSetBack(): Promise<void> {
  const [before, plan] = [await shown(), await place.plan({ added: true })];
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  expect(await shown()).toEqual(AS_MIRRORED);
  expect(await place.verify(restore)).toMatchObject({ passed: true });
  expect((await place.plan({ added: true })).steps).toEqual([]);
  expect((await place.apply(await place.undo(restore, plan))).failures).toEqual([]);
  expect(await shown()).toEqual(before);
}

const AS_MIRRORED = ['Start: Start', 'Learn / Answers: Answers', 'Learn / The guide: Guide, Reference', 'News: News'];

it('restore/in-place: sections that somebody has put into another order stand as they stood, and an undo takes that back', async () => {
  expect(await shown()).toEqual(AS_MIRRORED);
  const all = await sections();
  for (const title of ['Start', 'Answers'])
    await world.api.moveSiteSection({ path: { ...path, siteSectionId: idOf(all, title) }, body: {} });
  await expectSetBack();
});

it('restore/in-place: the spaces of a section that somebody has put into another order stand as they stood', async () => {
  const { items } = await world.api.listSiteSpaces({ path });
  const guide = items.find(({ space }) => space.title === 'Guide')?.id ?? '';
  await world.api.moveSiteSpace({ path: { ...path, siteSpaceId: guide }, body: {} });
  await expectSetBack();
});

it('restore/in-place: sections go back into the group that they were taken from, and out of one that they were put in', async () => {
  const { items: groups } = await world.api.listSiteSectionGroups({ path });
  const group = { ...path, siteSectionGroupId: idOf(groups, 'Learn') };
  await world.api.removeSectionFromGroup({ path: { ...group, siteSectionId: idOf(await sections(), 'Answers') } });
  await world.api.addSectionToGroup({ path: group, body: { sectionId: idOf(await sections(), 'News') } });
  await expectSetBack();
});

it('restore/in-place puts all sections back into a group that somebody has emptied: apply said of each but the last that it stood behind its later siblings', async () => {
  const { items: groups } = await world.api.listSiteSectionGroups({ path });
  const group = { ...path, siteSectionGroupId: idOf(groups, 'Learn') };
  for (const title of ['The guide', 'Answers'])
    await world.api.removeSectionFromGroup({ path: { ...group, siteSectionId: idOf(await sections(), title) } });
  await expectSetBack();
});

it('restore/in-place: a section that a resume alone puts into its group stands before those that the apply has put there: it came behind them, and nothing said so', async () => {
  await using proxy = await rewriting(world);
  const { items: groups } = await world.api.listSiteSectionGroups({ path });
  const group = { ...path, siteSectionGroupId: idOf(groups, 'Learn') };
  const all = await sections();
  for (const title of ['The guide', 'Answers'])
    await world.api.removeSectionFromGroup({ path: { ...group, siteSectionId: idOf(all, title) } });
  const refusing = inPlace(world, proxy.client);
  const plan = await refusing.plan();
  const answers = idOf(all, 'Answers');
  proxy.send = ({ path: asked }, text) =>
    asked.includes('/section-groups/') && text.includes(answers) ? '{"sectionId":"none"}' : undefined;
  const { restore, failures } = await refusing.apply(plan);
  expect(failures.map(({ title }) => title)).toEqual(['Answers']);
  proxy.send = () => undefined;
  expect((await refusing.resume(restore)).failures).toEqual([]);
  expect(await shown()).toEqual(AS_MIRRORED);
  expect((await refusing.verify(restore)).passed).toBe(true);
});

it('restore/in-place: sections that somebody has gathered in a new group stand on their own again', async () => {
  const all = await sections();
  const gathered = ['News', 'Start'].map((title) => idOf(all, title));
  await world.api.createSiteSectionGroup({ path, body: { title: 'Gathered', sections: gathered } });
  await expectSetBack();
});

it('restore/in-place: a space that a section showed first is shown first again when its place is made anew', async () => {
  const { items } = await world.api.listSiteSpaces({ path });
  const guide = items.find(({ space }) => space.title === 'Guide')?.id ?? '';
  await world.api.deleteSiteSpace({ path: { ...path, siteSpaceId: guide } });
  await expectSetBack();
});

it('restore/in-place: a section that was deleted stands before the group again that stood behind it', async () => {
  await world.api.deleteSiteSection({ path: { ...path, siteSectionId: idOf(await sections(), 'Start') } });
  await expectSetBack();
});

it('restore/in-place takes a space that somebody took off a site and showed there again for the one that was: each plan failed to make it, and with --delete the site lost it', async () => {
  const of = { organizationId: world.organization, siteId: made.partners };
  const shownThere = async () => (await world.api.listSiteSpaces({ path: of })).items;
  const [before, choice] = [await shownThere(), { added: true }];
  await world.api.deleteSiteSpace({ path: { ...of, siteSpaceId: before[0]?.id ?? '' } });
  await world.api.createSiteSpace({ path: of, body: { spaceId: before[0]?.space.id ?? '' } });
  const { restore, failures } = await place.apply(await place.plan(choice));
  expect(failures).toEqual([]);
  expect((await shownThere()).map(({ title }) => title)).toEqual(before.map(({ title }) => title));
  expect(await place.verify(restore)).toMatchObject({ passed: true });
  expect((await place.plan(choice)).steps).toEqual([]);
});

it('restore/in-place says of a section that is gone since the plan what to do: its step failed with a bare 404', async () => {
  const start = idOf(await sections(), 'Start');
  await world.api.moveSiteSection({ path: { ...path, siteSectionId: start }, body: {} });
  const plan = await place.plan();
  await world.api.deleteSiteSection({ path: { ...path, siteSectionId: idOf(await sections(), 'News') } });
  const { failures } = await place.apply(plan);
  expect(failures.map(({ title, error, hint }) => [title, error, hint])).toContainEqual([
    'News',
    expect.stringMatching(/^site-section News \(.*\) is no longer there$/),
    'Make a new plan: it is missing now, and can be brought back.',
  ]);
});
