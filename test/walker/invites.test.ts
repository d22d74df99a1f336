import { describe, expect, it } from 'vitest';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

describe('walker/invites', () => {
  it('reads the invites that the configuration names, and ends one that is gone', async () => {
    await using world = await TestWorld.create();
    const inviteId = world.platform.createInvite({ organization: world.organization, role: 'comment' });
    const key = `${world.organization}/${inviteId}`;
    expect(world.platform.invites()).toEqual([key]);
    const scope = { organizations: null, onlySpaces: null, extraSpaces: [], invites: [key] };
    const { snapshot } = await world.sync({ scope });
    expect([snapshot.state, rowsOf(world.mirror, 'select id, role from invites')]).toEqual([
      'complete',
      [{ id: inviteId, role: 'comment' }],
    ]);
    await world.api.deleteInvite({ path: { organizationId: world.organization, inviteId } });
    const next = await world.sync();
    expect([next.snapshot.state, next.kinds['invite']?.gone]).toEqual(['complete', 1]);
  });

  it('says that a named invite is not there', async () => {
    await using world = await TestWorld.create();
    const scope = { organizations: null, onlySpaces: null, extraSpaces: [], invites: [`${world.organization}/nope`] };
    const { snapshot, failures } = await world.sync({ scope });
    expect([snapshot.state, failures]).toEqual(['partial', [expect.objectContaining({ kind: 'invite', status: 404 })]]);
  });
});
