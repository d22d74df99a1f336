// What a restore does to the sections of a site besides what its steps for them name, and its undo takes back.
import { beforeEach, expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import { bareAnew, type InPlace } from '../support/in-place.ts';
import type { TestWorld } from '../support/world.ts';

const anew = bareAnew(async (world) => {
  const organizationId = world.organization;
  const { id: siteId } = await world.api.createSite({ path: { organizationId }, body: { title: 'Docs' } });
  const path = { organizationId, siteId };
  for (const title of ['Alpha', 'Beta', 'Gamma'])
    await world.api.createSiteSection({ path, body: { spaceId: await addSpace(world, title), title } });
  return { path };
});

let world: TestWorld;
let place: InPlace;
let path: { organizationId: string; siteId: string };

beforeEach(async () => {
  ({ world, place, path } = await anew());
  return () => world[Symbol.asyncDispose]();
});

async function idOf(title: string): Promise<string> {
  const { items } = await world.api.listSiteSections({ path });
  return items.find((one) => one.title === title)?.id ?? '';
}

/** Sections in their order, each below its group. */
async function shown(): Promise<string[]> {
  const { items: groups } = await world.api.listSiteSectionGroups({ path });
  const { items } = await world.api.listSiteSections({ path });
  return items.map(({ title, sectionGroup }) => {
    const group = groups.find(({ id }) => id === sectionGroup)?.title;
    return group === undefined ? title : `${group} / ${title}`;
  });
}

async function toTheEnd(title: string): Promise<void> {
  await world.api.moveSiteSection({ path: { ...path, siteSectionId: await idOf(title) }, body: {} });
}

/** A group with sections, behind all others. */
async function grouped(title: string, sections: readonly string[]): Promise<string> {
  const body = { title, sections: await Promise.all(sections.map(idOf)) };
  return (await world.api.createSiteSectionGroup({ path, body })).id;
}

it('restore/undo leaves the title that somebody has given a section since the restore moved it: it had its old one again', async () => {
  await toTheEnd('Alpha');
  const plan = await place.plan();
  expect(plan.steps.map(({ part, kind }) => `${part} ${kind}`)).toContain('order site-section');
  const { restore } = await place.apply(plan);
  expect(await shown()).toEqual(['Alpha', 'Beta', 'Gamma']);
  for (const title of ['Alpha', 'Beta', 'Gamma'])
    await world.api.updateSiteSection({
      path: { ...path, siteSectionId: await idOf(title) },
      body: { title: `My ${title}` },
    });
  expect((await place.apply(await place.undo(restore, plan))).failures).toEqual([]);
  expect(await shown()).toEqual(['My Beta', 'My Gamma', 'My Alpha']);
});

it('restore/undo leaves sections in the groups into which somebody has put them since: the restore had only moved them, or out of another', async () => {
  await grouped('Learn', ['Gamma']);
  await toTheEnd('Alpha');
  const plan = await place.plan();
  const { restore } = await place.apply(plan);
  expect(await shown()).toEqual(['Alpha', 'Beta', 'Gamma']);
  for (const title of ['Beta', 'Gamma']) await grouped(`My ${title}`, [title]);
  const undo = await place.undo(restore, plan);
  expect(undo.steps.filter(({ action }) => action === 'unsupported').map(({ title, note }) => [title, note])).toEqual([
    ['Gamma', 'its group: somebody changed it after the restore: it is left as it is'],
  ]);
  expect((await place.apply(undo)).failures).toEqual([]);
  expect((await shown()).toSorted()).toEqual(['Alpha', 'My Beta / Beta', 'My Gamma / Gamma']);
});

it('restore/undo leaves the title of a section with which a site opens again since the restore: it had its old one', async () => {
  const all = ['Alpha', 'Beta', 'Gamma'];
  const openWith = async (title: string): Promise<unknown> =>
    world.api.updateSite({ path, body: { defaultSiteSection: await idOf(title) } });
  await openWith('Beta');
  const plan = await place.plan();
  const { restore } = await place.apply(plan);
  for (const title of all) {
    const siteSectionId = await idOf(title);
    await world.api.updateSiteSection({ path: { ...path, siteSectionId }, body: { title: `My ${title}` } });
  }
  await place.apply(await place.undo(restore, plan));
  const { items } = await world.api.listSiteSections({ path });
  expect(items.map(({ title, default: isDefault }) => [title, isDefault])).toEqual([
    ['My Alpha', false],
    ['My Beta', true],
    ['My Gamma', false],
  ]);
});

it('restore/undo puts the sections where they stood that a group of the restore took in: they stood where that had been', async () => {
  const siteSectionGroupId = await grouped('Learn', ['Alpha']);
  await world.sync();
  await world.api.deleteSiteSectionGroup({ path: { ...path, siteSectionGroupId } });
  await toTheEnd('Beta');
  await toTheEnd('Gamma');
  const before = await shown();
  expect(before).toEqual(['Alpha', 'Beta', 'Gamma']);
  // What a listing lacks counts as gone when it is lacking for the second time.
  await world.sync();
  const plan = await place.plan({ snapshot: 2 });
  const { restore, failures } = await place.apply(plan);
  expect([failures, await shown()]).toEqual([[], ['Beta', 'Gamma', 'Learn / Alpha']]);
  await world.api.updateSiteSection({
    path: { ...path, siteSectionId: await idOf('Alpha') },
    body: { title: 'Mine' },
  });
  expect((await place.apply(await place.undo(restore, plan))).failures).toEqual([]);
  expect(await shown()).toEqual(['Mine', 'Beta', 'Gamma']);
});

it('restore/undo puts a group where it stood which the restore had emptied: it stood in front of what the restore had moved behind it', async () => {
  await grouped('Learn', ['Alpha']);
  const before = await shown();
  expect(before).toEqual(['Beta', 'Gamma', 'Learn / Alpha']);
  const plan = await place.plan();
  const { restore, failures } = await place.apply(plan);
  expect([failures, await shown()]).toEqual([[], ['Alpha', 'Beta', 'Gamma']]);
  const undo = await place.undo(restore, plan);
  const { restore: back, failures: others } = await place.apply(undo);
  expect([others, await shown()]).toEqual([[], before]);
  expect(await place.verify(back)).toMatchObject({ passed: true });
});
