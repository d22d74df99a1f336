// One mirror of two organizations that look alike: what is planned for the one touches and counts nothing of the other.
import { expect, it } from 'vitest';
import { planTree } from '../support/plan-tree.ts';
import { edit } from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
import { createTarget, drill } from '../support/restore.ts';
import { twoOrganizations } from '../support/two-organizations.ts';

const PURGED = 8 * 86_400_000;

it('restore/in-place puts collections back in their order among those of their own organization', async () => {
  const { world, first } = await twoOrganizations();
  await using _world = world;
  await world.sync();
  const place = inPlace(world);
  const { One, Three } = first.collections;
  const position = { before: { type: 'collection' as const, collection: One } };
  await world.api.moveCollection({ path: { collectionId: Three }, body: { position } });
  const plan = await place.plan({ scope: `organization:${first.organization}` });
  const own = new Set(Object.values(first.collections));
  expect(plan.steps.filter(({ key }) => !own.has(key))).toEqual([]);
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  expect((await place.verify(restore)).passed).toBe(true);
  expect((await place.differences(1)).filter((line) => line.includes('collection'))).toEqual([]);
});

it('restore/plan refuses a condition that chooses in two organizations: it wrote into both and looked at one', async () => {
  const { world, first, second } = await twoOrganizations();
  await using _world = world;
  await world.sync();
  const place = inPlace(world);
  for (const { space, ant } of [first, second])
    await edit(world, space, { type: 'update_page', page: ant, title: 'Spoilt' });
  await expect(place.plan({ where: "title = 'Ant'" })).rejects.toMatchObject({ code: 'DM_USAGE' });
  const within = `title = 'Ant' and space in (select id from spaces where organization = '${first.organization}')`;
  const plan = await place.plan({ where: within });
  expect(plan.steps.map(({ key }) => key)).toEqual([first.space]);
});

it('restore/in-place turns the links of one organization to what was made anew in another', async () => {
  const { world, first, second } = await twoOrganizations();
  await using _world = world;
  await world.sync();
  const place = inPlace(world);
  await world.api.deleteSpace({ path: { spaceId: second.space } });
  world.clock.advance(PURGED);
  const plan = await place.plan({ scope: `organization:${second.organization}` });
  expect(planTree(plan)).toContainEqual(expect.stringContaining(`--scope organization:${first.organization} turns it`));
  expect((await place.apply(plan)).failures).toEqual([]);
  const next = await place.plan({ scope: `organization:${first.organization}` });
  expect(planTree(next)).toContainEqual(expect.stringContaining('links of 1 page'));
  expect((await place.apply(next)).failures).toEqual([]);
  const { items } = await world.api.listSpaceLinks({ path: { spaceId: first.linking }, query: { status: 'broken' } });
  expect(items).toEqual([]);
});

it('restore/plan says which links into an organization that does not come along lead nowhere on another platform: it said that they kept leading to the originals', async () => {
  const { world, first } = await twoOrganizations();
  await using _world = world;
  await world.sync();
  await using target = await createTarget(world);
  const plan = await target.plan({ scope: `organization:${first.organization}` });
  const check = plan.preflight.find((one) => one.check === 'links elsewhere');
  expect(check).toMatchObject({
    state: 'warn',
    detail: expect.stringMatching(
      /^1 page links into .*Second organization.*: by ids they lead nowhere on another platform$/,
    ),
  });
});

it('restore/drill counts what came back, and what cannot, of both organizations', async () => {
  const { world } = await twoOrganizations();
  await using _world = world;
  await world.sync();
  const { passed, kinds, notRestored } = await drill(world);
  expect(passed).toBe(true);
  expect([kinds['space']?.resources, kinds['collection']?.resources, kinds['organization']?.resources]).toEqual([
    4, 6, 2,
  ]);
  expect(notRestored).toEqual({ 'space-member': 8 });
});
