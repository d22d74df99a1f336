// A site shows a space again that comes out of the bin, where it did when that was deleted. What it did not show then any more is
// brought back by the restore; what it shows by itself is no work of that.
import { beforeEach, expect, it } from 'vitest';
import { mirroredAnew, type InPlace } from '../support/in-place.ts';
import type { Furnished } from '../support/content.ts';
import type { TestWorld } from '../support/world.ts';

const anew = mirroredAnew(async ({ api, organization: organizationId }, { news, guide }) => {
  const spaces = [news, guide];
  const { id: siteId } = await api.createSite({ path: { organizationId }, body: { title: 'Docs', spaces } });
  const [, second] = (await api.listSiteSpaces({ path: { organizationId, siteId } })).items;
  const siteSpaceId = second?.id ?? '';
  await api.updateSiteSpace({ path: { organizationId, siteId, siteSpaceId }, body: { path: 'read' } });
  await api.updateSite({ path: { organizationId, siteId }, body: { defaultSiteSpace: siteSpaceId } });
  return { path: { organizationId, siteId } };
});

let world: TestWorld;
let made: Furnished;
let place: InPlace;
let path: { organizationId: string; siteId: string };

beforeEach(async () => {
  ({ world, made, place, path } = await anew());
  return () => world[Symbol.asyncDispose]();
});

async function shown() {
  const { items } = await world.api.listSiteSpaces({ path });
  return items.map(({ id, path: at, space, default: isDefault }) => ({ id, at, space: space.id, isDefault }));
}

/** What people see: a place that is made anew has another id. */
async function seen() {
  return (await shown()).map(({ at, space, isDefault }) => ({ at, space, isDefault }));
}

async function takeAway(space: string): Promise<void> {
  const siteSpaceId = (await shown()).find((one) => one.space === space)?.id ?? '';
  await world.api.deleteSiteSpace({ path: { ...path, siteSpaceId } });
}

it('restore/apply shows a space again on the site from which it was taken before it was deleted: it took a second plan', async () => {
  const stood = await seen();
  await takeAway(made.guide);
  await world.api.deleteSpace({ path: { spaceId: made.guide } });
  const before = await shown();
  const plan = await place.plan();
  const { restore, failures } = await place.apply(plan);
  expect([failures, await seen()]).toEqual([[], stood]);
  expect(await place.verify(restore)).toMatchObject({ passed: true, differences: [] });
  expect((await place.plan()).steps).toEqual([]);
  expect((await place.apply(await place.undo(restore, plan))).failures).toEqual([]);
  expect(await shown()).toEqual(before);
  // The place that the restore made is gone, and does not come with the space by itself.
  await world.api.restoreSpace({ path: { spaceId: made.guide } });
  expect(await shown()).toEqual(before);
});

it('restore/apply puts a space out of the bin in its order on a site from which others were taken too: that step failed', async () => {
  const stood = await seen();
  await takeAway(made.guide);
  await world.api.deleteSpace({ path: { spaceId: made.guide } });
  await takeAway(made.news);
  const { restore, failures } = await place.apply(await place.plan());
  expect([failures, await seen()]).toEqual([[], stood]);
  expect(await place.verify(restore)).toMatchObject({ passed: true, differences: [] });
});

it.each(['lost', 'killed'] as const)(
  'restore/undo takes a place away that its restore made before it was cut off (%s): it passed for one that came with its space',
  async (cut) => {
    await takeAway(made.guide);
    await world.api.deleteSpace({ path: { spaceId: made.guide } });
    const plan = await place.plan();
    const { restore, after } = await place.endure(plan, cut);
    expect(after).toContain('createSiteSpace');
    await place.apply(await place.undo(restore, plan));
    await world.api.restoreSpace({ path: { spaceId: made.guide } });
    expect((await shown()).map(({ space }) => space)).toEqual([made.news]);
  },
);

it('restore/undo leaves a place that a site shows by itself with a space out of the bin: put into its order it was taken away, and whoever took the space out again did not see it there', async () => {
  const stood = await shown();
  await world.api.deleteSpace({ path: { spaceId: made.guide } });
  await takeAway(made.news);
  const before = await shown();
  const plan = await place.plan();
  const { restore, failures } = await place.apply(plan);
  expect([failures, (await shown()).map(({ space }) => space)]).toEqual([[], stood.map(({ space }) => space)]);
  await place.apply(await place.undo(restore, plan));
  expect(await shown()).toEqual(before);
  await world.api.restoreSpace({ path: { spaceId: made.guide } });
  expect(await shown()).toEqual(stood.filter(({ space }) => space === made.guide));
});

it('restore/apply writes nothing of a place that comes with its space as it was', async () => {
  await world.api.deleteSpace({ path: { spaceId: made.guide } });
  const plan = await place.plan();
  const { meter } = world.client;
  const { writes } = meter;
  await place.apply(plan);
  const wrote = meter.writes - writes;
  const others = plan.steps.filter(({ kind, part }) => kind !== 'site-space' || part !== 'settings');
  expect([plan.steps.length - others.length, wrote]).toEqual([1, others.length]);
});

it('restore/apply sets a place back that comes with its space under another path: it stayed so until the next plan', async () => {
  const stood = await shown();
  const siteSpaceId = stood.at(-1)?.id ?? '';
  await world.api.updateSiteSpace({ path: { ...path, siteSpaceId }, body: { path: 'elsewhere' } });
  await world.api.deleteSpace({ path: { spaceId: made.guide } });
  const { failures } = await place.apply(await place.plan());
  expect([failures, await shown()]).toEqual([[], stood]);
});

it('restore/undo takes the places away that its restore made, though a later one has put them in order, and was taken back: they stayed', async () => {
  const all = await shown();
  await world.sync();
  for (const one of all) await takeAway(one.space);
  const before = await shown();
  const plan = await place.plan({ snapshot: 1 });
  const { restore } = await place.apply(plan);
  await takeAway(made.news);
  const later = await place.plan({ snapshot: 1 });
  expect(later.steps.map(({ part, kind }) => `${part} ${kind}`)).toContain('order site-space');
  const { restore: second } = await place.apply(later);
  await place.apply(await place.undo(second, later));
  const back = await place.undo(restore, plan);
  expect((await place.apply(back)).failures).toEqual([]);
  expect(await shown()).toEqual(before);
});
