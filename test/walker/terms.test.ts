import { describe, expect, it } from 'vitest';
import { readStatus } from '../../src/status/index.ts';
import type { WalkScope, WalkSettings } from '../../src/walker/index.ts';
import { furnishedWorld, walkedWorld } from '../support/furnished.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import type { TestWorld } from '../support/world.ts';

const ALL: WalkScope = { organizations: null, onlySpaces: null, extraSpaces: [] };

interface Terms {
  readonly origin?: string;
  readonly moved?: boolean;
  readonly scope?: WalkScope;
  readonly settings?: Partial<WalkSettings>;
}

/** A walk that is cut off in its middle. */
async function cutOff(world: TestWorld, { scope = ALL, settings = {}, ...more }: Terms): Promise<void> {
  const stop = new AbortController();
  let asked = 0;
  const client = world.hooked(() => {
    if (++asked === 8) stop.abort(new Error('cut off'));
  });
  await expect(world.sync({ client, scope, settings, signal: stop.signal, ...more })).rejects.toThrow('cut off');
}

const reasons = (world: TestWorld): unknown[] =>
  rowsOf(world.mirror, `select reason from snapshots where state = 'abandoned'`).map(({ reason }) => reason);

describe('walker/terms', () => {
  it('reads an organization, a space, trees and PDFs that were configured after the walk was cut off', async () => {
    await using world = await furnishedWorld();
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
    await using world = await furnishedWorld();
    const other = world.platform.createOrganization({ title: 'Second' });
    const organizations = [world.organization, other];
    await cutOff(world, { scope: { ...ALL, organizations } });
    const scope = { ...ALL, organizations: organizations.toReversed(), invites: [] };
    const { snapshot } = await world.sync({ scope, settings: { lanes: 2, pageSize: 50, documents: false } });
    expect([snapshot.id, snapshot.state, snapshot.resumed]).toEqual([1, 'complete', 1]);
  });

  it('continues a walk that an earlier version began, which named --pdf otherwise', async () => {
    await using world = await furnishedWorld();
    await cutOff(world, {});
    const earlier = `update meta set value = replace(value, '--pdf', '--pdfs') where name = 'walk_terms' returning value`;
    expect(rowsOf(world.mirror, earlier)[0]?.['value']).toContain('--pdfs');
    const { snapshot } = await world.sync();
    expect([snapshot.id, snapshot.state, snapshot.resumed, reasons(world)]).toEqual([1, 'complete', 1, []]);
  });

  it('names the flag that continues a walk with PDFs, which any other would give up', async () => {
    await using world = await furnishedWorld();
    await cutOff(world, { settings: { pdfs: true } });
    const { open, continuing } = readStatus(world.mirror, world.clock.now(), { snapshotMs: 1, drillMs: 1 });
    expect([open?.id, continuing]).toEqual([1, 'docmirror sync --pdf']);
  });

  it('needs to hear of a new address once, not again for the walk that was cut off there', async () => {
    await using world = await walkedWorld();
    const origin = 'https://new.example';
    await cutOff(world, { origin, moved: true });
    const { snapshot } = await world.sync({ origin });
    expect([snapshot.id, snapshot.state, snapshot.resumed, snapshot.origin]).toEqual([2, 'complete', 1, origin]);
    await expect(world.sync({ origin: 'https://other.example' })).rejects.toMatchObject({ code: 'DM_OTHER_PLATFORM' });
  });

  it('begins anew when it is not known under which terms the open walk began, as after an update', async () => {
    await using world = await furnishedWorld();
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
