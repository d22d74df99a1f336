// A collection that the platform shows below itself.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { addCollection, addSpace } from '../support/content.ts';
import { rewriting } from '../support/rewriting.ts';
import { drill } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

it.each(['itself', 'another'])(
  'drill passes with a collection that is its own ancestor by %s: each one failed, since a loop comes back open',
  async (by) => {
    await using world = await TestWorld.create();
    const above = await addCollection(world, 'Above');
    const below = await addCollection(world, 'Below', above);
    await addSpace(world, 'Docs', below);
    await using proxy = await rewriting(world);
    const looped = (one: unknown): unknown =>
      isRecord(one) && one['id'] === above ? { ...one, parent: by === 'itself' ? above : below } : one;
    proxy.rewrite = ({ path }, { status, body }) =>
      path.endsWith('/collections') && isRecord(body) && Array.isArray(body['items'])
        ? { status, body: { ...body, items: body['items'].map(looped) } }
        : undefined;
    expect((await world.sync({ client: proxy.client })).snapshot.state).toBe('complete');
    const { passed, differences } = await drill(world);
    expect(differences).toMatchObject([{ kind: 'collection', key: above, field: 'parent', class: 'bestEffort' }]);
    expect(passed).toBe(true);
  },
);
