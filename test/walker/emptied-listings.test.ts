// An empty listing that used to be full is a suspicion and no fact: so a platform answers whoever was taken out of an organization.
import { describe, expect, it } from 'vitest';
import { acceptSnapshot } from '../../src/mirror/index.ts';
import { addCollection } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import { twoOrganizations, type Twin } from '../support/two-organizations.ts';
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

/** As with a token that is of one organization alone; what is of another one is not there for it. */
function showOnly(proxy: Rewriting, shown: Twin, hidden: Twin): void {
  const isHidden = ({ organization, collections, space, linking }: Twin, path: string): boolean =>
    [organization, space, linking, ...Object.values(collections)].some((id) => path.split('/')[3] === id);
  proxy.before = ({ path }) => (isHidden(hidden, path) ? NOT_THERE : undefined);
  proxy.rewrite = ({ path }, { status, body }) => {
    if (path !== '/v1/orgs') return undefined;
    const { items } = body as { items: { id: string }[] };
    return { status, body: { items: items.filter(({ id }) => id === shown.organization) } };
  };
}

const held = (world: TestWorld): unknown =>
  rowsOf(world.mirror, 'select (select count(*) from organizations) as o, (select count(*) from spaces) as s');

describe('walker/missing, an empty listing', () => {
  it('takes no organization for gone that a token is shown no more: all of the mirror was emptied, and the night called complete', async () => {
    await using world = await furnishedWorld();
    await using proxy = await rewriting(world);
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

  it('suspects a token of another account, which is shown another organization instead: all was taken for gone, the export replaced, and the night complete', async () => {
    const { world, first, second } = await twoOrganizations();
    await using _world = world;
    await using proxy = await rewriting(world);
    showOnly(proxy, first, second);
    expect((await world.sync({ client: proxy.client })).snapshot.state).toBe('complete');
    const before = held(world);
    showOnly(proxy, second, first);
    for (const since of ['at once', 'since snapshot 1']) {
      const { snapshot } = await world.sync({ client: proxy.client });
      const reason = `1 of 1 organization gone ${since}`;
      expect([snapshot.state, snapshot.reason]).toEqual(['suspect', expect.stringContaining(reason)]);
    }
    showOnly(proxy, first, second);
    const back = await world.sync({ client: proxy.client });
    expect([back.snapshot.state, held(world)]).toEqual(['complete', before]);
  });

  it('suspects a token that is shown one organization of two: the other was taken for gone, and the night complete', async () => {
    const { world, first, second } = await twoOrganizations();
    await using _world = world;
    await using proxy = await rewriting(world);
    await world.sync({ client: proxy.client });
    showOnly(proxy, first, second);
    const { snapshot } = await world.sync({ client: proxy.client });
    expect([snapshot.state, snapshot.reason]).toEqual([
      'suspect',
      expect.stringContaining('1 of 2 organizations gone'),
    ]);
    acceptSnapshot(world.mirror, snapshot.id, 'We left it');
    expect((await world.sync({ client: proxy.client })).snapshot.state).toBe('complete');
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
