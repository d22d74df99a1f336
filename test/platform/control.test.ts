import { describe, expect, it } from 'vitest';
import { callPlatform, createWorld, type World } from './world.ts';

interface Reply {
  status: number;
  body: unknown;
}

interface Sent {
  body?: unknown;
  /** The owner's when absent; none when empty. */
  token?: string;
}

async function control(world: World, line: `${string} /${string}`, { body, token }: Sent = {}): Promise<Reply> {
  const [method = '', path = ''] = line.split(' ');
  const response = await fetch(`${world.platform.url}/_platform${path}`, {
    method,
    headers: token === '' ? {} : { authorization: `Bearer ${token ?? world.platform.token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

const PAT = { displayName: 'Pat', email: 'pat@example.com', role: 'read' };

describe('platform/http/control-app', () => {
  it('shows requests and counters, and forgets them, without counting itself', async () => {
    await using world = await createWorld();
    await world.call('listOrganizations', { query: { limit: 1 } });
    const asked = { operation: 'listOrganizations', method: 'GET', target: '/v1/orgs?limit=1', status: 200 };
    expect((await control(world, 'GET /requests')).body).toEqual({ total: 1, items: [asked] });
    const counters = { total: 1, operations: { listOrganizations: 1 } };
    expect((await control(world, 'GET /counters')).body).toEqual(counters);
    expect((await control(world, 'DELETE /requests')).status).toBe(204);
    expect((await control(world, 'GET /counters')).body).toEqual({ total: 0, operations: {} });
  });

  it('makes users whose token the API takes', async () => {
    await using world = await createWorld();
    const made = await control(world, 'POST /users', { body: { ...PAT, organization: world.organization } });
    expect(made).toEqual({ status: 201, body: { id: expect.any(String), token: expect.any(String) } });
    const { token } = made.body as { token: string };
    expect((await callPlatform({ url: world.platform.url, token }, 'listOrganizations')).body.items).toHaveLength(1);
  });

  it('is for the owner alone', async () => {
    await using world = await createWorld();
    const { token } = world.platform.createUser({ ...PAT, organization: world.organization, role: 'admin' });
    expect((await control(world, 'GET /requests', { token: '' })).status).toBe(401);
    expect((await control(world, 'GET /requests', { token })).status).toBe(403);
    expect((await control(world, 'POST /users', { body: PAT, token })).status).toBe(403);
  });

  it('refuses what it does not understand, naming the field', async () => {
    await using world = await createWorld({ movableClock: true });
    const rows: [Reply, number, RegExp][] = [
      [await control(world, 'POST /users', { body: PAT }), 400, /^organization: is required/],
      [await control(world, 'POST /users', { body: { ...PAT, organization: 'x' } }), 404, /Organization x/],
      [await control(world, 'POST /clock', { body: { advanceMs: -1 } }), 400, /^advanceMs:/],
      [await control(world, 'PUT /faults', { body: [{ effect: 'explode' }] }), 400, /rule 1, effect/],
      [await control(world, 'GET /nothing'), 404, /GET \/_platform\/nothing/],
    ];
    for (const [{ status, body }, wanted, message] of rows) {
      expect(body).toEqual({ error: { code: wanted, message: expect.stringMatching(message) } });
      expect(status).toBe(wanted);
    }
  });

  it('moves the clock, and does what is due then: a deleted space is gone after seven days', async () => {
    await using world = await createWorld({ movableClock: true });
    const path = { organizationId: world.organization };
    const { body: space } = await world.call('createSpace', { path });
    await world.call('deleteSpace', { path: { spaceId: space.id } });
    expect((await world.call('getSpace', { path: { spaceId: space.id } })).status).toBe(200);
    const before = (await control(world, 'GET /clock')).body as { now: string };
    const after = (await control(world, 'POST /clock', { body: { advanceMs: 7 * 86_400_000 } })).body as {
      now: string;
    };
    expect(Date.parse(after.now) - Date.parse(before.now)).toBeGreaterThanOrEqual(7 * 86_400_000);
    expect((await world.call('getSpace', { path: { spaceId: space.id } })).status).toBe(404);
    const { headers } = await world.call('listOrganizations');
    expect(Date.parse(headers.get('date') ?? '')).toBeGreaterThan(Date.parse(before.now) + 6 * 86_400_000);
  });

  it('says that a clock cannot be moved when it was not started so', async () => {
    await using world = await createWorld();
    expect((await control(world, 'POST /clock', { body: { advanceMs: 1 } })).status).toBe(412);
    expect(() => world.platform.advanceClock(1)).toThrow(/movableClock/);
  });

  it('takes a fault plan while it runs, and ends it', async () => {
    await using world = await createWorld();
    await control(world, 'PUT /faults', { body: [{ operation: 'listOrganizations', effect: { status: 503 } }] });
    expect((await world.call('listOrganizations')).status).toBe(503);
    expect((await control(world, 'GET /faults')).body).toHaveLength(1);
    await control(world, 'PUT /faults', { body: [] });
    expect((await world.call('listOrganizations')).status).toBe(200);
  });
});
