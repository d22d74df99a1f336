// A platform whose listings go on to show spaces that lie in the bin, saying so.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import type { Space } from '../../src/contract/index.ts';
import { addCollection, addSpace, edit, insert } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { inPlace } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';
import { rewriting, type Rewrite } from '../support/rewriting.ts';

const counted = (member: unknown): unknown => (isRecord(member) ? { ...member, spaces: 1 } : member);

/** Listings of a collection and of members end with it, and so does its own address. */
function listing(space: Space, deletedAt: string): Rewrite {
  const binned = { ...space, deletedAt };
  const ofCollection = `/v1/collections/${space.parent}/spaces`;
  return ({ path, method }, { status, body }) => {
    if (method === 'GET' && path === `/v1/spaces/${space.id}`) return { status: 200, body: binned };
    if (!isRecord(body) || !Array.isArray(body['items'])) return undefined;
    const items = body['items'] as unknown[];
    if (path === ofCollection) return { status, body: { ...body, items: [binned, ...items] } };
    if (path.endsWith('/members')) return { status, body: { ...body, items: items.map(counted) } };
    if (!/\/members\/[^/]+\/spaces$/.test(path)) return undefined;
    return { status, body: { ...body, items: [...items, { permission: 'admin', space: binned }] } };
  };
}

it('restore/in-place takes a collection away whose spaces lie in the bin: it was said to hold them still, and stayed', async () => {
  await using world = await furnishedWorld();
  const { snapshot } = await world.sync();
  const collection = await addCollection(world, 'Added since');
  const spaceId = await addSpace(world, 'Binned', collection);
  await edit(world, spaceId, insert('Page', 'Text.'));
  const space = await world.api.getSpace({ path: { spaceId } });
  await world.api.deleteSpace({ path: { spaceId } });
  await using proxy = await rewriting(world);
  proxy.rewrite = listing(space, new Date(world.clock.now()).toISOString());
  const place = inPlace(world, proxy.client);
  const plan = await place.plan({ snapshot: snapshot.id, added: true });
  const { failures } = await place.apply(plan, { client: proxy.client });
  expect(failures).toEqual([]);
  const path = { organizationId: world.organization };
  const { items } = await world.api.listCollections({ path });
  expect(items.map(({ title }) => title)).not.toContain('Added since');
});

it('restore/plan takes a target for empty whose spaces all lie in the bin: it was refused as not empty', async () => {
  await using world = await furnishedWorld();
  await world.sync();
  await using target = await createTarget(world);
  const { api } = target.client;
  const made = await api.createSpace({ path: { organizationId: target.organization }, body: { title: 'Binned' } });
  const path = { spaceId: made.id };
  await api.deleteSpace({ path });
  await using proxy = await rewriting(world, target.platform);
  proxy.rewrite = listing(made, new Date(world.clock.now()).toISOString());
  const plan = await target.plan({ client: proxy.client, targetUrl: proxy.url });
  expect(plan.steps.length).toBeGreaterThan(0);
});
