// Spaces and collections of an organization that the token is not shown, as of one that it is a guest in: they stand below no
// organization of the mirror.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { WalkResult } from '../../src/walker/index.ts';
import { edit, insert } from '../support/content.ts';
import { forecast } from '../support/forecast.ts';
import { rowsOf } from '../support/state.ts';
import { asGuest, twoOrganizations, type Twin } from '../support/two-organizations.ts';
import type { TestWorld } from '../support/world.ts';

let world: TestWorld;
let second: Twin;

beforeEach(async () => {
  const twins = await twoOrganizations();
  ({ world, second } = twins);
  await asGuest(world, twins);
  await walkNaming([second.space]);
});

afterEach(() => world[Symbol.asyncDispose]());

function walkNaming(extraSpaces: readonly string[]): Promise<WalkResult> {
  return world.sync({ scope: { organizations: null, onlySpaces: null, extraSpaces } });
}

it('walker goes on reading one that the configuration names no more: it stood still for good, in complete snapshots', async () => {
  await edit(world, second.space, insert('News', 'of today'));
  const { snapshot } = await walkNaming([]);
  expect(snapshot.state).toBe('complete');
  const titles = rowsOf(world.mirror, 'select title from pages where space = ? order by title', second.space);
  expect(titles).toEqual([{ title: 'Ant' }, { title: 'News' }]);
});

it('walker ends one that is deleted after the configuration names it no more: it was there for good, in complete snapshots', async () => {
  const { ifNothingChanged } = forecast(world);
  expect((await walkNaming([])).snapshot.requests).toBe(ifNothingChanged);
  await world.api.deleteSpace({ path: { spaceId: second.space } });
  const { snapshot } = await walkNaming([]);
  expect(snapshot.state).toBe('complete');
  expect(rowsOf(world.mirror, 'select id from spaces where id = ?', second.space)).toEqual([]);
  const sql = `select json_extract(t.evidence, '$.listing') as listing from tombstones t join resources using (rid) where kind = 'space'`;
  expect(rowsOf(world.mirror, sql)).toEqual([{ listing: 'every route of all organizations' }]);
});

it('walker leaves it as it was where a walk is limited to an organization that is shown', async () => {
  await world.api.deleteSpace({ path: { spaceId: second.space } });
  const scope = { organizations: [world.organization], onlySpaces: null, extraSpaces: [], limited: true };
  await world.sync({ scope });
  expect(rowsOf(world.mirror, 'select id from spaces where id = ?', second.space)).toEqual([{ id: second.space }]);
});

it('walker goes on reading a collection of it that was read with a named space: it had its old name for good, in complete snapshots, and was there once it was deleted', async () => {
  const { One: collectionId } = second.collections;
  // The guest may see it.
  world.platform.faults = world.platform.faults.slice(0, 2);
  await world.sync({ scope: { organizations: null, onlySpaces: [second.space], extraSpaces: [] } });
  const shown = (): unknown => rowsOf(world.mirror, 'select title from collections where id = ?', collectionId);
  expect(shown()).toEqual([{ title: 'One' }]);
  await world.api.updateCollection({ path: { collectionId }, body: { title: 'Renamed' } });
  const { ifNothingChanged } = forecast(world);
  const renamed = await walkNaming([]);
  expect([renamed.snapshot.state, shown()]).toEqual(['complete', [{ title: 'Renamed' }]]);
  expect(renamed.snapshot.requests).toBe(ifNothingChanged);
  await world.api.deleteCollection({ path: { collectionId } });
  const deleted = await walkNaming([]);
  expect([deleted.snapshot.state, shown()]).toEqual(['complete', []]);
});
