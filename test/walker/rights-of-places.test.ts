// What members may do in a space follows from where it stands; no counter of theirs moves with it.
import { describe, expect, it } from 'vitest';
import { addCollection, addSpace } from '../support/content.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

interface Shown {
  readonly member: string;
  readonly space: string;
  readonly permission: string;
}

const mirrored = ({ mirror }: TestWorld): Record<string, unknown>[] =>
  rowsOf(mirror, 'select member, space, permission from space_members order by member, space');

async function told({ api, organization: organizationId }: TestWorld): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (const { id: userId } of (await api.listMembers({ path: { organizationId } })).items)
    for (const { permission, space } of (await api.listMemberSpaces({ path: { organizationId, userId } })).items)
      shown.push({ member: userId, space: space.id, permission });
  return shown.toSorted((a, b) => (a.member + a.space < b.member + b.space ? -1 : 1));
}

describe('walker/visits/shown-by-members', () => {
  it('shows who may do what since a place changed: permissions that follow from it were those of nights before', async () => {
    await using world = await TestWorld.create();
    const { api, organization, platform } = world;
    const people = ['edit', 'review', 'create'] as const;
    for (const role of people)
      platform.createUser({ displayName: role, email: `${role}@example.com`, organization, role });
    const [outer, other] = [await addCollection(world, 'Outer'), await addCollection(world, 'Other')];
    const inner = await addCollection(world, 'Inner', outer);
    const spaceId = await addSpace(world, 'Guide', inner);
    await addSpace(world, 'Stays', other);
    // Nothing is read by its turn.
    const settings = { rereadNights: 1000 };
    const night = async (change: () => Promise<unknown>): Promise<void> => {
      const before = mirrored(world);
      await change();
      const { snapshot } = await world.sync({ settings });
      expect(snapshot.state).toBe('complete');
      expect(mirrored(world)).toEqual(await told(world));
      expect(mirrored(world)).not.toEqual(before);
    };
    await world.sync({ settings });
    await night(() => api.updateCollection({ path: { collectionId: outer }, body: { defaultLevel: 'comment' } }));
    await night(() => api.moveCollection({ path: { collectionId: inner }, body: { parent: null } }));
    await night(() => api.moveSpace({ path: { spaceId }, body: { parent: outer } }));
    await night(() => api.updateSpace({ path: { spaceId }, body: { defaultLevel: 'read' } }));
    const quiet = await world.sync({ settings });
    expect(quiet.kinds['space-member']).toMatchObject({ added: 0, changed: 0, gone: 0 });
  });

  it('shows who may do what since a place changed, once a night of few requests has left what members see: of all but one of them the permissions stayed those of before', async () => {
    await using world = await TestWorld.create();
    const { api, organization, platform } = world;
    const people = ['edit', 'review', 'create'] as const;
    for (const role of people)
      platform.createUser({ displayName: role, email: `${role}@example.com`, organization, role });
    const collectionId = await addCollection(world, 'Outer');
    await addSpace(world, 'Guide', collectionId);
    const settings = { rereadNights: 1000 };
    await world.sync({ settings });
    const quiet = (await world.sync({ settings })).snapshot.requests;
    const states: string[] = [];
    for (const [number, defaultLevel] of (['comment', 'edit', 'read'] as const).entries()) {
      await api.updateCollection({ path: { collectionId }, body: { defaultLevel } });
      const limited = await world.sync({ settings: { ...settings, maxRequests: quiet + number } });
      const { snapshot } = await world.sync({ settings });
      states.push(`${limited.snapshot.state}, ${snapshot.state}`);
      expect(mirrored(world)).toEqual(await told(world));
    }
    expect(states).toEqual(people.map(() => 'partial, complete'));
  });

  it('shows who may do what since a place changed, in the walk that goes on with one that was cut off: it was complete with permissions of before', async () => {
    await using world = await TestWorld.create();
    const { api, organization, platform } = world;
    for (const role of ['edit', 'review', 'create'] as const)
      platform.createUser({ displayName: role, email: `${role}@example.com`, organization, role });
    const collections = [await addCollection(world, 'Outer'), await addCollection(world, 'Other')] as const;
    await api.updateCollection({ path: { collectionId: collections[1] }, body: { defaultLevel: 'comment' } });
    const spaceId = await addSpace(world, 'Guide', collections[0]);
    for (const collection of collections) await addSpace(world, 'Stays', collection);
    const settings = { rereadNights: 1000, lanes: 1 };
    await world.sync({ settings });
    let wasCut = true;
    for (let at = 1; wasCut; at++) {
      await api.moveSpace({ path: { spaceId }, body: { parent: collections[at % 2] ?? '' } });
      const stop = new AbortController();
      let asked = 0;
      const client = world.hooked(() => void (++asked === at && stop.abort()));
      wasCut = await world.sync({ client, signal: stop.signal, settings }).then(
        () => false,
        () => true,
      );
      if (!wasCut) break;
      const { snapshot, kinds } = await world.sync({ settings });
      expect([at, snapshot.state, mirrored(world)]).toEqual([at, 'complete', await told(world)]);
      expect(kinds['space-member']?.seen).toBe(mirrored(world).length);
    }
  });
});
