import { describe, expect, it } from 'vitest';
import type { WalkScope, WalkSettings } from '../../src/walker/index.ts';
import { furnish } from '../support/content.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const ALL: WalkScope = { organizations: null, onlySpaces: null, extraSpaces: [] };

interface Terms {
  readonly scope?: WalkScope;
  readonly settings?: Partial<WalkSettings>;
}

/** A walk that is cut off in its middle. */
async function cutOff(world: TestWorld, { scope = ALL, settings = {} }: Terms): Promise<void> {
  const stop = new AbortController();
  let asked = 0;
  const client = world.hooked(() => {
    if (++asked === 8) stop.abort(new Error('cut off'));
  });
  await expect(world.sync({ client, scope, settings, signal: stop.signal })).rejects.toThrow('cut off');
}

const reasons = (world: TestWorld): unknown[] =>
  rowsOf(world.mirror, `select reason from snapshots where state = 'abandoned'`).map(({ reason }) => reason);

describe('walker/terms', () => {
  it('reads an organization, a space, trees and PDFs that were configured after the walk was cut off', async () => {
    await using world = await TestWorld.create();
    await furnish(world);
    const other = world.platform.createOrganization({ title: 'Second' });
    const { id: space } = await world.api.createSpace({ path: { organizationId: other }, body: { title: 'Further' } });
    await cutOff(world, { scope: { ...ALL, organizations: [world.organization] } });
    const more = {
      scope: { ...ALL, organizations: [world.organization, other], extraSpaces: [space] },
      settings: { pdfs: true, documents: true },
    };
    const { snapshot } = await world.sync(more);
    expect([snapshot.id, snapshot.state, snapshot.resumed]).toEqual([2, 'complete', 0]);
    expect(reasons(world)).toEqual(['it began with another scope.organizations, scope.spaces, walk.documents, --pdf']);
    using fresh = await world.newMirror();
    const first = await world.sync({ ...more, mirror: fresh });
    expect(stateOf(world.mirror, snapshot.id)).toEqual(stateOf(fresh, first.snapshot.id));
  });

  it('continues a walk under the same terms, in whatever order they are named and however fast it is to be', async () => {
    await using world = await TestWorld.create();
    await furnish(world);
    const other = world.platform.createOrganization({ title: 'Second' });
    const organizations = [world.organization, other];
    await cutOff(world, { scope: { ...ALL, organizations } });
    const scope = { ...ALL, organizations: organizations.toReversed(), invites: [] };
    const { snapshot } = await world.sync({ scope, settings: { lanes: 2, pageSize: 50, documents: false } });
    expect([snapshot.id, snapshot.state, snapshot.resumed]).toEqual([1, 'complete', 1]);
  });

  it('begins anew when it is not known under which terms the open walk began, as after an update', async () => {
    await using world = await TestWorld.create();
    await furnish(world);
    await cutOff(world, {});
    rowsOf(world.mirror, `delete from meta where name = 'walk_terms' returning name`);
    const { snapshot } = await world.sync();
    expect([snapshot.id, snapshot.state, reasons(world)]).toEqual([
      2,
      'complete',
      ['it does not say under which configuration it began'],
    ]);
  });
});
