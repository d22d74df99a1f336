import { expect, it } from 'vitest';
import { addSpace, edit, insert } from '../support/content.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

it.each([{ status: 401 }, 'cut-before'] as const)(
  'walker: goes on from %j at one operation where the token may read its organization and not list all of them: it ended there, night after night',
  async (effect) => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Guide');
    await edit(world, space, insert('Top', 'First.'));
    world.platform.faults = [
      { operation: 'listOrganizations', count: 100, effect: { status: 403 } },
      { operation: 'listComments', count: 100, effect },
    ];
    const scope = { organizations: [world.organization], onlySpaces: null, extraSpaces: [] };
    const { snapshot } = await world.sync({ scope });
    expect(snapshot.state).toBe('partial');
    expect(rowsOf(world.mirror, 'select distinct kind from failures')).toEqual([{ kind: 'comment' }]);
  },
);
