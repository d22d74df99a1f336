// An operation that the platform does not offer: said on every night, and never taken from one answer.
import { describe, expect, it } from 'vitest';
import { countsOf } from '../../src/mirror/index.ts';
import { furnish } from '../support/content.ts';
import { stateOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const ONCE = [
  ['getPage', 501],
  ['download', 405],
  ['listCommentReplies', 501],
  ['listChangeRequestComments', 405],
] as const;

describe('walker, not offered', () => {
  it.each(ONCE)('hides nothing because %s answered %i once', async (operation, status) => {
    await using world = await TestWorld.create();
    await furnish(world);
    world.platform.faults = [{ operation, nth: 1, effect: { status } }];
    const { snapshot, notOffered } = await world.sync({ settings: { lanes: 1 } });
    expect([snapshot.state, notOffered]).toEqual(['complete', []]);
    world.platform.faults = [];
    using fresh = await world.newMirror();
    const truth = await world.sync({ mirror: fresh });
    expect(stateOf(world.mirror, snapshot.id)).toEqual(stateOf(fresh, truth.snapshot.id));
  });

  it.each(['getPage', 'download'] as const)(
    'calls it a failure when %s is refused for what a tree lists',
    async (operation) => {
      await using world = await TestWorld.create();
      await furnish(world);
      world.platform.faults = [{ operation, effect: { status: 501 } }];
      const { snapshot, notOffered } = await world.sync();
      expect([snapshot.state, notOffered]).toEqual(['partial', []]);
    },
  );

  it('says on every night what is not offered, until it is', async () => {
    await using world = await TestWorld.create();
    await furnish(world);
    world.platform.faults = [{ operation: 'listOpenApiSpecs', effect: { status: 501 } }];
    for (let night = 0; night < 3; night++) {
      const { snapshot, notOffered } = await world.sync();
      expect([snapshot.state, notOffered.map(({ kind }) => kind)]).toEqual(['complete', ['openapi-spec']]);
    }
    world.platform.faults = [];
    const { snapshot, notOffered } = await world.sync();
    expect([notOffered, countsOf(world.mirror, snapshot.id)['openapi-spec']]).toEqual([[], undefined]);
  });
});
