// In place: a site shows spaces at its root or has sections, never both, and people go from the one to the other.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import { inPlace, type InPlace } from '../support/in-place.ts';
import type { Plan } from '../../src/restore/index.ts';
import { planTree } from '../support/plan-tree.ts';
import { TestWorld } from '../support/world.ts';

const TITLES = ['Guide', 'Answers', 'News'];

let world: TestWorld;
let place: InPlace;
let path: { organizationId: string; siteId: string };
let spaces: string[];

beforeEach(async () => {
  world = await TestWorld.create();
  place = inPlace(world);
  spaces = [];
  for (const title of TITLES) spaces.push(await addSpace(world, title));
  const own = { organizationId: world.organization };
  const site = await world.api.createSite({ path: own, body: { title: 'Docs', spaces: spaces.slice(0, 2) } });
  path = { ...own, siteId: site.id };
});

afterEach(() => world[Symbol.asyncDispose]());

/** What readers see, with its section where it is in one. */
async function shown(): Promise<string[]> {
  const { items: sections } = await world.api.listSiteSections({ path });
  const { items } = await world.api.listSiteSpaces({ path });
  return items.map(({ section, title, path: at, default: first }) => {
    const within = sections.find(({ id }) => id === section)?.title;
    return `${within === undefined ? '' : `${within}: `}${title} at ${at}${first === true ? ', first' : ''}`;
  });
}

/** Sets all back to snapshot 1, verifies it, and takes it back. */
async function expectThereAndBack(was: readonly string[]): Promise<void> {
  const [now, plan] = [await shown(), await place.plan({ added: true })];
  const { restore, failures } = await place.apply(plan);
  expect([failures, await shown()]).toEqual([[], was]);
  expect((await place.verify(restore)).passed).toBe(true);
  const { steps } = await place.plan({ added: true });
  expect(steps.filter(({ part }) => part !== 'none')).toEqual([]);
  const back = await place.apply(await place.undo(restore, plan));
  expect([back.failures, await shown()]).toEqual([[], now]);
  expect((await place.verify(back.restore)).passed).toBe(true);
}

it('restore/in-place: spaces stand at the root of their site again when somebody has added a section to it', async () => {
  const { items } = await world.api.listSiteSpaces({ path });
  await world.api.updateSite({ path, body: { defaultSiteSpace: items[1]?.id ?? '' } });
  const was = await shown();
  await world.sync();
  await world.api.createSiteSection({ path, body: { spaceId: spaces[2] ?? '', title: 'More' } });
  await expectThereAndBack(was);
});

it('restore/in-place: what cannot stand at the root beside a section that stays is said, and no failed step', async () => {
  await world.sync();
  const { items } = await world.api.listSiteSpaces({ path });
  await world.api.deleteSiteSpace({ path: { ...path, siteSpaceId: items[1]?.id ?? '' } });
  await world.api.createSiteSection({ path, body: { spaceId: spaces[2] ?? '', title: 'More' } });
  const plan = await place.plan();
  expect(plan.steps.map(({ kind, part, note }) => `${part} ${kind}: ${note}`)).toEqual([
    'none site-space: its site has sections by now, and then shows nothing at its root',
  ]);
});

it('restore/in-place: sections come back where a site shows spaces at its root by now, and an undo shows them there again', async () => {
  const { id } = await world.api.createSiteSection({ path, body: { spaceId: spaces[2] ?? '', title: 'More' } });
  const { items } = await world.api.listSiteSections({ path });
  const first = items.find((one) => one.id !== id)?.id ?? '';
  const was = await shown();
  await world.sync();
  for (const siteSectionId of [id, first]) await world.api.deleteSiteSection({ path: { ...path, siteSectionId } });
  await world.api.createSiteSpace({ path, body: { spaceId: spaces[0] ?? '' } });
  await expectThereAndBack(was);
});

it('restore/undo: a space that a restore took away is shown by its site again', async () => {
  const was = await shown();
  await world.sync();
  const spaceId = await addSpace(world, 'Late');
  await world.api.createSiteSpace({ path, body: { spaceId } });
  await expectThereAndBack(was);
});

it('restore/undo: a section that went with the only space it showed comes back with that', async () => {
  await world.api.createSiteSection({ path, body: { spaceId: spaces[2] ?? '', title: 'More' } });
  await world.api.deleteSpace({ path: { spaceId: spaces[2] ?? '' } });
  const was = await shown();
  await world.sync();
  await world.api.restoreSpace({ path: { spaceId: spaces[2] ?? '' } });
  await expectThereAndBack(was);
});

/** A section goes from a site, and what it has left is shown at the root: a restore of the section alone gathers that in one more. */
async function sectionBack(): Promise<{ now: string[]; undo: () => Promise<Plan> }> {
  const { items } = await world.api.listSiteSpaces({ path });
  for (const { id } of items) await world.api.deleteSiteSpace({ path: { ...path, siteSpaceId: id } });
  const section = await world.api.createSiteSection({ path, body: { spaceId: spaces[2] ?? '', title: 'More' } });
  await world.sync();
  await world.api.deleteSiteSection({ path: { ...path, siteSectionId: section.id } });
  for (const spaceId of spaces.slice(0, 2)) await world.api.createSiteSpace({ path, body: { spaceId } });
  const now = await shown();
  const plan = await place.plan();
  const { restore, failures } = await place.apply(plan);
  expect([failures, (await shown()).length]).toEqual([[], 3]);
  return { now, undo: () => place.undo(restore, plan) };
}

it('restore/undo shows spaces at the root of their site again that the platform gathered in a section, as the restore made one: they stayed in that', async () => {
  const { now, undo } = await sectionBack();
  expect((await place.apply(await undo())).failures).toEqual([]);
  expect(await shown()).toEqual(now);
});

it('restore/undo leaves the section in which the platform has gathered the root of a site where somebody has added another since, and says so', async () => {
  const { undo } = await sectionBack();
  const spaceId = await addSpace(world, 'Of others');
  await world.api.createSiteSection({ path, body: { spaceId, title: 'Of others' } });
  const plan = await undo();
  expect(planTree(plan).join('\n')).toContain('its site has other sections, which stay: it is left as it is');
  expect((await place.apply(plan)).failures).toEqual([]);
  expect((await shown()).map((line) => line.split(' at ')[0])).toEqual(
    expect.arrayContaining(['Guide: Guide', 'Guide: Answers', 'Of others: Of others']),
  );
});
