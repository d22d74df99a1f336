// Members and what their listings leave out unless it is asked for.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { askingReplica } from '../support/replica.ts';
import { changing, rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

async function withMembers(world: TestWorld, names: readonly string[]): Promise<string> {
  const { organization } = world;
  for (const displayName of names) {
    const email = `${displayName.toLowerCase()}@example.com`;
    const { token } = world.platform.createUser({ displayName, email, organization, role: 'read' });
    await using client = world.clientOf({ url: world.platform.url, token });
    await client.api.pingOrganization({ path: { organizationId: organization } });
  }
  return `/v1/orgs/${organization}/members`;
}

function namesIn(body: unknown): unknown[] {
  const items = isRecord(body) && Array.isArray(body['items']) ? (body['items'] as unknown[]) : [];
  return items.map((one) => (isRecord(one) && isRecord(one['user']) ? one['user']['displayName'] : null));
}

it('replica/members by when they were last seen are the active ones: disabled ones stood among them, and those whose time is null', async () => {
  await using world = await TestWorld.create();
  const target = await withMembers(world, ['Robin', 'Kim', 'Noor']);
  await using proxy = await rewriting(world);
  proxy.rewrite = changing((one) => {
    const name = one['object'] === 'member' && isRecord(one['user']) ? one['user']['displayName'] : null;
    return name === 'Kim' ? { ...one, disabled: true } : name === 'Noor' ? { ...one, lastSeenAt: null } : one;
  });
  await world.sync({ client: proxy.client });
  const ask = askingReplica(world.dataDir);
  expect(namesIn(ask(`${target}?sort=lastSeenAt`).body)).toEqual(['Robin']);
  expect(namesIn(ask(target).body)).toEqual(expect.arrayContaining(['Robin', 'Kim', 'Noor']));
});

it('replica/members go on by the token of a list whose order was left out, where it is said with the next page: it was refused as of another list', async () => {
  await using world = await TestWorld.create();
  const target = await withMembers(world, ['Robin', 'Kim']);
  await world.sync();
  const ask = askingReplica(world.dataDir);
  const { body } = ask(`${target}?limit=1`);
  const next = isRecord(body) && isRecord(body['next']) ? String(body['next']['page']) : '';
  const second = ask(`${target}?limit=1&order=desc&sort=joinedAt&page=${encodeURIComponent(next)}`);
  expect(second.status).toBe(200);
  expect([...namesIn(body), ...namesIn(second.body)]).toEqual(namesIn(ask(`${target}?limit=2`).body));
  expect(ask(`${target}?limit=1&order=asc&page=${encodeURIComponent(next)}`).status).toBe(400);
});
