// What the token does not reach has no place among the others that anybody knows of.
import { expect, it } from 'vitest';
import { isRecord, valueAt } from '../../src/base/index.ts';
import { addCollection, addSpace } from '../support/content.ts';
import { bare, inPlace } from '../support/in-place.ts';
import { changing, rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

it('restore/in-place moves no space that the token does not reach: one that was gone was to go back to the front, and that failed', async () => {
  let [near, away] = ['', ''];
  const { world, place } = await bare(async (one) => {
    const shelf = await addCollection(one, 'Shelf');
    away = await addSpace(one, 'Away', shelf);
    near = await addSpace(one, 'Near', shelf);
  });
  await using _world = world;
  const space = await world.api.getSpace({ path: { spaceId: near } });
  const only = (items: unknown[]) => ({ status: 200, body: { count: items.length, items } });
  world.platform.faults = [
    { operation: 'listCollectionSpaces', effect: only([space]) },
    { operation: 'listMemberSpaces', effect: only([{ permission: 'admin', space }]) },
    { pathPattern: `/spaces/${away}`, effect: { status: 403 } },
  ];
  const plan = await place.plan();
  expect(plan.preflight.find(({ check }) => check === 'live state')?.detail).toContain('1 space out of reach');
  expect(plan.steps).toEqual([]);
});

it('restore verify takes no place of what the token does not reach for one among the others: what it had put in order was said to stand elsewhere', async () => {
  await using world = await TestWorld.create();
  await using proxy = await rewriting(world);
  const shelf = await addCollection(world, 'Shelf');
  const away = new Set<unknown>();
  for (const title of ['1', '2', '3', '4', '5']) away.add(await addSpace(world, `Away ${title}`, shelf));
  const a = await addSpace(world, 'A', shelf);
  await addSpace(world, 'B', shelf);
  const c = await addSpace(world, 'C', shelf);
  await world.sync();
  proxy.before = ({ path }) => (away.has(path.split('/')[3]) ? { status: 403, body: {} } : undefined);
  proxy.rewrite = changing((one) => {
    if (!Array.isArray(one['items'])) return one;
    const items = one['items'].filter(
      (item) => isRecord(item) && ![item['id'], valueAt(item, 'space.id')].some((id) => away.has(id)),
    );
    return { ...one, items, count: items.length };
  });
  const place = inPlace(world, proxy.client);
  const position = { before: { type: 'space' as const, space: a } };
  await world.api.moveSpace({ path: { spaceId: c }, body: { parent: shelf, position } });
  const plan = await place.plan();
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  expect(await place.verify(restore)).toMatchObject({ differences: [], passed: true });
});
