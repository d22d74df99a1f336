import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { addCollection } from '../support/content.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { askingReplica } from '../support/replica.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

it.each([
  ['says null of those at the top', null],
  ['names a collection that nobody is shown', 'secret'],
])('replica/collections lists all of a platform that %s: none of them was there', async (_what, parent) => {
  await using world = await TestWorld.create();
  const top = await addCollection(world, 'Top');
  const inner = await addCollection(world, 'Inner', top);
  await using proxy = await rewriting(world);
  proxy.rewrite = (_asked, { status, body }) => {
    const items = isRecord(body) && Array.isArray(body['items']) ? (body['items'] as unknown[]) : [];
    for (const one of items) if (isRecord(one) && one['object'] === 'collection') one['parent'] ??= parent;
    return { status, body };
  };
  expect((await world.sync({ client: proxy.client })).snapshot.state).toBe('complete');
  const { body } = askingReplica(world.dataDir)(`/v1/orgs/${world.organization}/collections`);
  expect(body).toMatchObject({ items: [{ id: top }, { id: inner, parent: top }] });
});

it('replica/collections lists those that stand within each other too: no root leads to them', async () => {
  using world = await createTestMirror();
  const loop = [
    { id: 'a', title: 'A', parent: 'b' },
    { id: 'b', title: 'B', parent: 'a' },
  ];
  await world.add({ collections: [{ id: 'top', title: 'Top' }, ...loop], spaces: [] });
  for (const query of ['', '?nested=false']) {
    const { body } = askingReplica(world.dataDir)(`/v1/orgs/org/collections${query}`);
    expect(body).toMatchObject({ items: [{ id: 'top' }, { id: 'a' }, { id: 'b' }] });
  }
});
