// A mirror whose older copy was put back knows nothing of the restores since: what they brought back stands on the platform all the same.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addCollection, addSpace } from '../support/content.ts';
import { inPlace, mirrored, type InPlace, type Mirrored } from '../support/in-place.ts';
import { rewriting } from '../support/rewriting.ts';
import { isRecord } from '../../src/base/index.ts';
import type { Space } from '../../src/contract/index.ts';
import type { Plan } from '../../src/restore/index.ts';

const DAY_MS = 86_400_000;

/** A space is purged, a team and an empty collection are deleted. */
async function lose({ world, made }: Mirrored): Promise<void> {
  const path = { organizationId: world.organization };
  await world.api.deleteSpace({ path: { spaceId: made.news } });
  const [team] = (await world.api.listTeams({ path })).items;
  await world.api.deleteTeam({ path: { ...path, teamId: team?.id ?? '' } });
  const shelf = (await world.api.listCollections({ path })).items.find(({ title }) => title === 'Shelf');
  await world.api.deleteCollection({ path: { collectionId: shelf?.id ?? '' } });
  world.clock.advance(8 * DAY_MS);
}

/** Copies the data directory; what is returned puts that copy in its place. */
async function copied({ world }: Mirrored): Promise<() => Promise<void>> {
  const copy = join(world.folder(), 'copy');
  world.close();
  cpSync(world.dataDir, copy, { recursive: true });
  await world.open();
  return async () => {
    world.close();
    rmSync(world.dataDir, { recursive: true });
    cpSync(copy, world.dataDir, { recursive: true });
    await world.open();
  };
}

/** With the space that is purged, as it was. */
async function withLoss(): Promise<Mirrored & { readonly lost: Space }> {
  const there = await mirrored(async (world) => {
    await addCollection(world, 'Shelf');
    await world.api.createTeam({ path: { organizationId: world.organization }, body: { title: 'Writers' } });
  });
  const lost = await there.world.api.getSpace({ path: { spaceId: there.made.news } });
  await lose(there);
  return { ...there, lost };
}

/** Applies the plan, puts the copy of the mirror back that was made before, and applies it again. */
async function applyTwice(there: Mirrored, plan: Plan): Promise<InPlace> {
  const { world } = there;
  const putBack = await copied(there);
  await inPlace(world).apply(plan);
  await putBack();
  return inPlace(world);
}

it('restore/apply refuses a plan that was carried out before an older copy of the mirror was put back: all came twice', async () => {
  const there = await withLoss();
  await using _world = there.world;
  const plan = await there.place.plan({ missing: true });
  const place = await applyTwice(there, plan);
  place.clear();
  await expect(place.apply(plan)).rejects.toMatchObject({
    code: 'DM_PLAN_STALE',
    message: expect.stringMatching(/team Writers, collection Shelf, space .* have come to stand there/) as string,
    // A new plan is no way out by itself: it does not know whose they are.
    hint: expect.stringContaining('makes them beside it. Where a restore made it that this mirror') as string,
  });
  expect(place.writes()).toEqual({});
});

it('restore/apply refuses comments that were brought back before an older copy of the mirror was put back: each stood there twice', async () => {
  const there = await mirrored();
  await using world = there.world;
  const { guide, comment } = there.made;
  await world.api.deleteComment({ path: { spaceId: guide, commentId: comment } });
  const plan = await there.place.plan({ missing: true });
  const place = await applyTwice(there, plan);
  await expect(place.apply(plan)).rejects.toMatchObject({
    code: 'DM_PLAN_STALE',
    message: expect.stringContaining('comment How often? has come to stand there since') as string,
  });
  expect((await world.api.listComments({ path: { spaceId: guide } })).items).toHaveLength(2);
});

it('restore/apply carries out a plan that was made beside what has the same name: only what came since is in its way', async () => {
  const there = await withLoss();
  await using world = there.world;
  const path = { organizationId: world.organization };
  await world.api.createTeam({ path, body: { title: 'Writers' } });
  const plan = await there.place.plan({ missing: true });
  expect((await there.place.apply(plan)).failed).toBe(0);
  expect((await world.api.listTeams({ path })).items.map(({ title }) => title)).toEqual(['Writers', 'Writers']);
});

it('restore/apply makes a space beside one of its name that lies in the bin, where listings go on to show that: each plan was refused', async () => {
  const there = await withLoss();
  await using world = there.world;
  const { title } = there.lost;
  const spaceId = await addSpace(world, title, there.made.collection);
  await world.api.deleteSpace({ path: { spaceId } });
  const binned = await world.api.getSpace({ path: { spaceId } });
  expect(binned.deletedAt).toBeDefined();
  await using proxy = await rewriting(world);
  proxy.rewrite = ({ path }, { status, body }) =>
    path.endsWith(`/collections/${there.made.collection}/spaces`) && isRecord(body) && Array.isArray(body['items'])
      ? { status, body: { ...body, items: [...(body['items'] as unknown[]), binned] } }
      : undefined;
  const place = inPlace(world, proxy.client);
  const plan = await place.plan({ missing: true });
  expect(plan.steps).toContainEqual(expect.objectContaining({ kind: 'space', part: 'create', title }));
  expect((await place.apply(plan)).failed).toBe(0);
});
