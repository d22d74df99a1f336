// What a quiet night takes is counted beside whatever else a daemon does.
import { expect, it } from 'vitest';
import { quietRequests } from '../../src/walker/quiet-night.ts';
import { addSpace, edit, insert } from '../support/content.ts';
import { SETTINGS, TestWorld } from '../support/world.ts';

it('walker/quiet-night counts in pieces of a space each: with walk.maxRequests a daemon answered nobody for seconds at the end of a large walk', async () => {
  await using world = await TestWorld.create();
  for (const title of ['A', 'B', 'C']) await edit(world, await addSpace(world, title), insert('Page', 'text'));
  const { snapshot } = await world.sync();
  const { mirror } = world;
  const scope = { organizations: null, onlySpaces: null, extraSpaces: [] };
  const quiet = { mirror, mode: 'full', scope, settings: SETTINGS, id: snapshot.id + 1 } as const;
  expect([...quietRequests(quiet)]).toHaveLength(3);
});
