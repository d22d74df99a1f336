import { describe, expect, it } from 'vitest';
import { rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

describe('walker/visits/invites', () => {
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

  it('makes no failure of an invite that ended and is still named: each night after the first one was partial', async () => {
    await using world = await TestWorld.create();
    const inviteId = world.platform.createInvite({ organization: world.organization, role: 'comment' });
    const invites = [`${world.organization}/${inviteId}`];
    const walked = () => world.sync({ scope: { organizations: null, onlySpaces: null, extraSpaces: [], invites } });
    await walked();
    await world.api.deleteInvite({ path: { organizationId: world.organization, inviteId } });
    expect((await walked()).kinds['invite']?.gone).toBe(1);
    const { snapshot, kinds } = await walked();
    expect([snapshot.state, kinds['invite']?.gone ?? 0, kinds['invite']?.failed ?? 0]).toEqual(['complete', 0, 0]);
    expect(rowsOf(world.mirror, 'select valid_to from invites_history')).toEqual([{ valid_to: 2 }]);
    const unknown = { organizations: null, onlySpaces: null, extraSpaces: [], invites: [`${world.organization}/none`] };
    expect((await world.sync({ scope: unknown })).snapshot.state).toBe('partial');
  });

  it('ends an invite of which the platform says that it is gone for good (410): each night was partial', async () => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    const inviteId = world.platform.createInvite({ organization: world.organization, role: 'comment' });
    const invites = [`${world.organization}/${inviteId}`];
    await world.sync({ scope: { organizations: null, onlySpaces: null, extraSpaces: [], invites } });
    const gone = { status: 410, body: { error: { code: 410, message: 'Gone' } } };
    proxy.rewrite = ({ path }) => (path.includes('/link-invites/') ? gone : undefined);
    const { snapshot, kinds } = await world.sync({ client: proxy.client });
    expect([snapshot.state, kinds['invite']?.gone]).toEqual(['complete', 1]);
    const [proof] = rowsOf(world.mirror, 'select evidence from tombstones');
    expect(JSON.parse(String(proof?.['evidence']))).toMatchObject({ direct: { status: 410 } });
  });

  it('does not bury an invite that is not shown to those who have lost the right to administrate', async () => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    const inviteId = world.platform.createInvite({ organization: world.organization, role: 'comment' });
    const invites = [`${world.organization}/${inviteId}`];
    const walked = () =>
      world.sync({ client: proxy.client, scope: { organizations: null, onlySpaces: null, extraSpaces: [], invites } });
    await walked();
    proxy.rewrite = ({ path }, { status, body }) =>
      path.includes('/link-invites/')
        ? { status: 404, body: { error: { code: 404, message: 'Not found' } } }
        : { status, body: withoutAdmin(body) };
    expect((await walked()).snapshot.state).toBe('partial');
    expect(rowsOf(world.mirror, 'select id from invites')).toEqual([{ id: inviteId }]);
    proxy.rewrite = () => undefined;
    expect((await walked()).snapshot.state).toBe('complete');
  });

  it.each([
    ['fails', { status: 500, body: { error: { code: 500, message: 'Internal error' } } }],
    ['is a web page', { status: 404, body: Buffer.from('<html>Not found</html>') }],
  ])(
    'takes an invite for gone by no answer that %s: it is partial, and complete once that is over',
    async (_, answer) => {
      await using world = await TestWorld.create();
      await using proxy = await rewriting(world);
      const inviteId = world.platform.createInvite({ organization: world.organization, role: 'comment' });
      const invites = [`${world.organization}/${inviteId}`];
      await world.sync({ scope: { organizations: null, onlySpaces: null, extraSpaces: [], invites } });
      proxy.rewrite = ({ path }) => (path.includes('/link-invites/') ? answer : undefined);
      const { snapshot, failures } = await world.sync({ client: proxy.client });
      expect([snapshot.state, failures.map(({ kind }) => kind)]).toEqual(['partial', ['invite']]);
      expect(rowsOf(world.mirror, 'select id from invites')).toEqual([{ id: inviteId }]);
      proxy.rewrite = () => undefined;
      const next = await world.sync({ client: proxy.client });
      expect([next.snapshot.state, next.kinds['invite']]).toEqual([
        'complete',
        expect.objectContaining({ seen: 1, unchanged: 1, gone: 0 }),
      ]);
    },
  );

  it('says that a named invite is not there', async () => {
    await using world = await TestWorld.create();
    const scope = { organizations: null, onlySpaces: null, extraSpaces: [], invites: [`${world.organization}/nope`] };
    const { snapshot, failures } = await world.sync({ scope });
    expect([snapshot.state, failures]).toEqual(['partial', [expect.objectContaining({ kind: 'invite', status: 404 })]]);
  });
});

/** An answer in which organizations may not be administrated. */
function withoutAdmin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAdmin);
  if (typeof value !== 'object' || value === null) return value;
  const all = Object.entries(value).map(([name, one]) => [name, withoutAdmin(one)] as const);
  const shown: Record<string, unknown> = Object.fromEntries(all);
  if (shown['object'] !== 'organization') return shown;
  return { ...shown, permissions: { ...(shown['permissions'] as object), admin: false } };
}
