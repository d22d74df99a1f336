// An empty listing that used to be full is a suspicion and no fact: so a platform answers whoever was taken out of an organization.
import { describe, expect, it } from 'vitest';
import { addCollection, furnish } from '../support/content.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const EMPTY = { status: 200, body: { count: 0, items: [] } };
const NOT_THERE = { status: 404, body: { error: { code: 404, message: 'Not found' } } };

/** The listing is empty, and nothing of it is there when it is asked for. */
function hide(proxy: Rewriting, listing: string): void {
  proxy.before = ({ path }) => {
    if (path === listing) return EMPTY;
    return path.startsWith(`${listing}/`) || listing === '/v1/orgs' ? NOT_THERE : undefined;
  };
}

const held = (world: TestWorld): unknown =>
  rowsOf(world.mirror, 'select (select count(*) from organizations) as o, (select count(*) from spaces) as s');

describe('walker/missing, an empty listing', () => {
  it('takes no organization for gone that a token is shown no more: all of the mirror was emptied, and the night called complete', async () => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    await furnish(world);
    await world.sync({ client: proxy.client });
    const before = held(world);
    hide(proxy, '/v1/orgs');
    const first = await world.sync({ client: proxy.client });
    expect([first.snapshot.state, first.snapshot.reason]).toEqual(['partial', '1 organization no longer listed']);
    expect(held(world)).toEqual(before);
    const second = await world.sync({ client: proxy.client });
    expect([second.snapshot.state, second.snapshot.reason]).toEqual([
      'suspect',
      expect.stringContaining('no organization is left'),
    ]);
    proxy.before = () => undefined;
    const back = await world.sync({ client: proxy.client });
    expect([back.snapshot.state, held(world)]).toEqual(['complete', before]);
  });

  it('takes collections that somebody deleted, all of them, for gone on the second night', async () => {
    await using world = await TestWorld.create();
    const made = [await addCollection(world, 'First'), await addCollection(world, 'Second')];
    await world.sync();
    for (const collectionId of made) await world.api.deleteCollection({ path: { collectionId } });
    const first = await world.sync();
    expect(first.snapshot.reason).toBe('2 collections no longer listed');
    expect(first.kinds['collection']).toMatchObject({ gone: 0, missing: 2 });
    const second = await world.sync();
    expect([second.snapshot.state, second.kinds['collection']]).toEqual([
      'complete',
      expect.objectContaining({ gone: 2, missing: 0 }),
    ]);
  });

  it('takes up again what was hidden for one night, without a new version', async () => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    for (const title of ['First', 'Second']) await addCollection(world, title);
    await world.sync({ client: proxy.client });
    hide(proxy, `/v1/orgs/${world.organization}/collections`);
    await world.sync({ client: proxy.client });
    proxy.before = () => undefined;
    const { snapshot, kinds } = await world.sync({ client: proxy.client });
    expect([snapshot.state, kinds['collection']]).toEqual([
      'complete',
      expect.objectContaining({ seen: 2, unchanged: 2, added: 0, gone: 0 }),
    ]);
  });
});
