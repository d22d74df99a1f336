// What the token does not reach has no place among the others that anybody knows of.
import { expect, it } from 'vitest';
import { addCollection, addSpace } from '../support/content.ts';
import { bare } from '../support/in-place.ts';

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
