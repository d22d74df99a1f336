// In place: what people find a part of a site by, and no other may have beside it; two that swapped theirs hold each other's.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { restoreOfPlan } from '../../src/mirror/index.ts';
import { planHash } from '../../src/restore/plan/plan-file.ts';
import { addSpace } from '../support/content.ts';
import { cutOnce } from '../support/cutting.ts';
import { inPlace, type InPlace } from '../support/in-place.ts';
import { organizedWorld } from '../support/furnished.ts';
import { rewriting } from '../support/rewriting.ts';
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

const sections = async (): Promise<[string, string][]> => [...((await paths())[0] ?? [])];

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

/** Somebody takes a space out of its section and shows another one there, at the same path: both, and that path. */
async function replaced(): Promise<{ stranger: string; gone: string; taken: string }> {
  const { places } = await two();
  const [gone = ''] = places;
  const taken = (await paths())[1]?.get(gone) ?? '';
  await world.api.deleteSiteSpace({ path: { ...path, siteSpaceId: gone } });
  const spaceId = await addSpace(world, 'Casino');
  const { items: sections } = await world.api.listSiteSections({ path });
  const sectionId = sections.find(({ title }) => title === 'The guide')?.id ?? '';
  const { id } = await world.api.createSiteSpace({ path, body: { spaceId, sectionId } });
  await setPlace(id, taken);
  await world.sync();
  return { stranger: id, gone, taken };
}

it('restore/in-place: the path of a space that somebody has added since stays its own where one that comes back had it: the other was sent away without a word', async () => {
  await world.sync();
  const { stranger, taken } = await replaced();
  const { failures } = await place.apply(await place.plan());
  expect((await paths())[1]?.get(stranger)).toBe(taken);
  expect(failures).toEqual([
    expect.objectContaining({ kind: 'site-space', error: expect.stringContaining('has the path') as string }),
  ]);
});

it('restore/in-place: what has the base name that a site is to have back is named, with what to do: every plan ended with the word of the platform alone', async () => {
  const organization = { organizationId: world.organization };
  await world.api.updateSite({ path, body: { basename: 'guide' } });
  const { id: other } = await world.api.createSite({ path: organization, body: { title: 'Other' } });
  await world.sync();
  await world.api.updateSite({ path, body: { basename: 'between' } });
  await world.api.updateSite({ path: { ...organization, siteId: other }, body: { basename: 'guide' } });
  const { restore, failures } = await place.apply(await place.plan());
  expect(failures).toMatchObject([
    {
      kind: 'site',
      error: expect.stringContaining(`; guide is the basename of site Other (${other}), which keeps it`) as string,
      hint: `Give site Other (${other}) another basename by hand, then run \`docmirror restore resume ${restore}\`; or leave both as they are.`,
    },
  ]);
  await world.api.updateSite({ path: { ...organization, siteId: other }, body: { basename: 'another' } });
  expect((await place.resume(restore)).failures).toEqual([]);
});

it('restore/in-place: what has given way to another and is refused its own path is named with the one that it has, and a later plan sets its own', async () => {
  await world.sync();
  const before = await sections();
  await swap();
  const [, [other] = ['']] = before;
  await using proxy = await rewriting(world);
  proxy.send = (asked, text) =>
    asked.method === 'PATCH' && asked.path.endsWith(other) && !text.includes('"p-') ? '{"path":1}' : undefined;
  const { failures } = await place.apply(await place.plan(), { client: proxy.client });
  expect(failures.map(({ error }) => error)).toEqual([
    expect.stringMatching(/answered 400.*; its path is p-[0-9a-f]{12} until then, since its own went to another$/),
  ]);
  expect((await place.apply(await place.plan())).failures).toEqual([]);
  expect(await sections()).toEqual(before);
});

it.each(['first', 'last'] as const)(
  'restore/in-place: a section whose own path somebody else has keeps the one it has where another wants that, the other one being set %s: it was left at a path that nobody gave it, also by an undo',
  async (which) => {
    await world.sync();
    const two = (await sections()).slice(0, 2);
    const [[one, path1] = ['', ''], [other, path2] = ['', '']] = which === 'first' ? two : two.toReversed();
    await setSection(one, 'between');
    await setSection(other, path1);
    const body = { title: 'Added', spaceId: await addSpace(world, 'Added') };
    await setSection((await world.api.createSiteSection({ path, body })).id, path2);
    const before = await sections();
    const plan = await place.plan();
    const { failures } = await place.apply(plan);
    expect(new Set(failures.map(({ key }) => key.split('/').at(-1)))).toEqual(new Set([one, other]));
    expect(await sections()).toEqual(before);
  },
);

it('restore/undo: what has given way to another gets its path back where the apply was cut off before its own step: it stayed at a path that nobody gave it', async () => {
  await world.sync();
  const [[one, path1] = ['', ''], [other, path2] = ['', '']] = await sections();
  await setSection(one, 'between');
  await setSection(other, path1);
  await setSection(one, path2);
  await world.api.updateSiteSection({ path: { ...path, siteSectionId: other }, body: { title: 'Renamed' } });
  const before = await sections();
  const plan = await place.plan();
  const client = cutOnce(world.client, { cut: 'killed', of: 'updateSiteSection', nth: 2, sent: true });
  await expect(place.apply(plan, { client })).rejects.toThrow('killed');
  expect(await sections()).not.toEqual(before);
  await world.api.updateSiteSection({ path: { ...path, siteSectionId: other }, body: { title: 'Since' } });
  const restore = restoreOfPlan(world.mirror, planHash(plan))?.id ?? '';
  expect((await place.apply(await place.undo(restore, plan))).failures).toEqual([]);
  expect(await sections()).toEqual(before);
  const { items } = await world.api.listSiteSections({ path });
  expect(items.find(({ id }) => id === other)?.title).toBe('Since');
});

it('restore/in-place: what comes back gets its path from what the same plan takes away: it was refused, stood at another one, and no later plan set that back', async () => {
  await world.sync();
  const { stranger, gone, taken } = await replaced();
  const plan = await place.plan({ added: true });
  const { restore, failures } = await place.apply(plan);
  const back = (await paths())[1];
  expect([failures, back?.has(stranger), [...(back?.values() ?? [])]]).toEqual([
    [],
    false,
    expect.arrayContaining([taken]),
  ]);
  expect((await place.verify(restore)).passed).toBe(true);
  const undo = await place.apply(await place.undo(restore, plan));
  expect(undo.failures).toEqual([]);
  const { items } = await world.api.listSiteSpaces({ path });
  expect(items.map(({ title, path: at }) => [title, at])).toContainEqual(['Casino', taken]);
  expect(items.map(({ id }) => id)).not.toContain(gone);
});

it.each(['lost', 'killed'] as const)(
  'restore/in-place: what has given way, and is to go, goes where each write is %s once',
  async (cut) => {
    await world.sync();
    const { stranger, taken } = await replaced();
    const { result } = await place.endure(await place.plan({ added: true }), cut);
    const back = (await paths())[1];
    expect([result.failures, back?.has(stranger), [...(back?.values() ?? [])]]).toEqual([
      [],
      false,
      expect.arrayContaining([taken]),
    ]);
  },
);
