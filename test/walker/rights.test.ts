import { describe, expect, it } from 'vitest';
import { listShrunk } from '../../src/mirror/index.ts';
import type { Role } from '../../src/contract/index.ts';
import { isRecord } from '../../src/base/index.ts';
import { furnish } from '../support/content.ts';
import { walkedWorlds } from '../support/copied-world.ts';
import { furnishedWorld, walkedWorld } from '../support/furnished.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import type { TestWorld } from '../support/world.ts';
import { tokenWithdrawnAt } from '../support/token-withdrawn.ts';

/** Walked once by an administrator besides the owner. */
const backedUpWorld = walkedWorlds(async (world) => {
  const made = await furnish(world);
  const name = { displayName: 'Backup', email: 'backup@example.com' };
  const { id, token } = world.platform.createUser({ ...name, organization: world.organization, role: 'admin' });
  await using client = world.clientOf({ url: world.platform.url, token });
  expect((await world.sync({ client })).snapshot.state).toBe('complete');
  return { ...made, user: { id, token } };
});

/** A world that was walked, and will be, by a member whose role can be changed. */
async function seenByMember() {
  const world = await backedUpWorld();
  const { made } = world;
  const { user } = made;
  const client = world.clientOf({ url: world.platform.url, token: user.token });
  const setRole = async (role: Role | null): Promise<void> => {
    await world.api.updateMember({ path: { organizationId: world.organization, userId: user.id }, body: { role } });
  };
  const dispose = async (): Promise<void> => {
    await client[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  };
  return { world, made, setRole, walk: { client }, [Symbol.asyncDispose]: dispose };
}

const tombstones = (world: TestWorld) =>
  rowsOf(world.mirror, 'select kind, key from tombstones join resources using (rid)');

describe('walker/take', () => {
  it('does not take a lost permission for lost data', async () => {
    await using all = await seenByMember();
    const { world, setRole, walk } = all;
    const before = stateOf(world.mirror, 1);
    await setRole('read');
    const { snapshot } = await world.sync(walk);
    expect(snapshot.state).toBe('partial');
    expect(snapshot.reason).toMatch(/scope shrank: no admin on organization /);
    expect(tombstones(world)).toEqual([]);
    expect(Object.keys(stateOf(world.mirror, 2))).toEqual(expect.arrayContaining(Object.keys(before)));
  });

  it('sees a right that was lost in the night in which what is stored of it was damaged', async () => {
    await using all = await seenByMember();
    const { world, made, setRole, walk } = all;
    world.mirror.store.driver.exec(`update bodies set data = 'x' || data where bid in
      (select body from versions join resources using (rid) where kind in ('organization', 'collection', 'space'))`);
    await setRole('read');
    await world.api.deleteSpace({ path: { spaceId: made.news } });
    const { snapshot } = await world.sync(walk);
    expect(snapshot).toMatchObject({
      state: 'partial',
      reason: expect.stringContaining('scope shrank: no ') as string,
    });
    expect(tombstones(world)).toEqual([]);
  });

  it('stays partial until the right is back, then is whole again', async () => {
    await using all = await seenByMember();
    const { world, setRole, walk } = all;
    const before = stateOf(world.mirror, 1);
    await setRole('read');
    for (const _night of [2, 3]) expect((await world.sync(walk)).snapshot.state).toBe('partial');
    expect(listShrunk(world.mirror).length).toBeGreaterThan(0);
    await setRole('admin');
    const { snapshot } = await world.sync({ ...walk, mode: 'full' });
    expect([snapshot.state, snapshot.reason, listShrunk(world.mirror)]).toEqual(['complete', null, []]);
    expect(tombstones(world)).toEqual([]);
    expect(Object.keys(stateOf(world.mirror, snapshot.id))).toEqual(Object.keys(before));
  });

  it('takes nothing below a shrunk organization for gone, whatever really was deleted there', async () => {
    await using all = await seenByMember();
    const { world, made, setRole, walk } = all;
    await setRole('edit');
    await world.api.deleteSpace({ path: { spaceId: made.news } });
    const { snapshot } = await world.sync(walk);
    expect(snapshot.state).toBe('partial');
    expect(tombstones(world)).toEqual([]);
    expect(rowsOf(world.mirror, 'select title from spaces order by title')).toEqual([
      { title: 'Guide' },
      { title: 'News' },
    ]);
    const accepted = await world.sync({ ...walk, acceptRights: true });
    expect(accepted.snapshot.reason ?? '').not.toMatch(/scope shrank/);
    expect(rowsOf(world.mirror, 'select title from spaces')).toEqual([{ title: 'Guide' }]);
  });

  it('takes the rights as they are where a walk that was refused them was cut off: what it could not read before would be lacking still', async () => {
    await using all = await seenByMember();
    const { world, setRole, walk } = all;
    await setRole('read');
    world.platform.faults = tokenWithdrawnAt('listSites');
    await expect(world.sync(walk)).rejects.toThrowError();
    world.platform.faults = [];
    expect(listShrunk(world.mirror).length).toBeGreaterThan(0);
    const { snapshot } = await world.sync({ ...walk, acceptRights: true });
    expect([snapshot.id, snapshot.resumed]).toEqual([3, 0]);
    expect(snapshot.reason ?? '').not.toMatch(/scope shrank/);
    expect(listShrunk(world.mirror)).toEqual([]);
  });

  it('goes on with a walk that was cut off before it was refused anything, and takes the rights as they are for the rest of it too', async () => {
    await using all = await seenByMember();
    const { world, setRole, walk } = all;
    await setRole('edit');
    const stop = new AbortController();
    const client = world.hooked((operation) => {
      if (operation === 'listMembers') stop.abort();
    }, walk.client);
    await expect(world.sync({ client, signal: stop.signal })).rejects.toThrow();
    expect(listShrunk(world.mirror).length).toBeGreaterThan(0);
    const { snapshot } = await world.sync({ ...walk, acceptRights: true });
    expect([snapshot.id, snapshot.resumed, snapshot.state, snapshot.reason]).toEqual([2, 1, 'complete', null]);
  });
});

interface Silenced extends AsyncDisposable {
  readonly world: TestWorld;
  readonly proxy: Rewriting;
}

/** A space whose comments are shown until a walk lists them again: from then on the token may not see any. */
async function silenced(): Promise<Silenced> {
  const world = await furnishedWorld();
  const { guide: spaceId } = world.made;
  const say = (text: string): Promise<unknown> =>
    world.api.createComment({ path: { spaceId }, body: { body: { markdown: text } } });
  for (const text of ['one', 'two', 'three']) await say(text);
  const proxy = await rewriting(world);
  await world.sync({ client: proxy.client });
  await say('four');
  const [space, comments] = [`/v1/spaces/${spaceId}`, `/v1/spaces/${spaceId}/comments`];
  let isLost = false;
  proxy.rewrite = ({ path }, { status, body }) => {
    isLost ||= path === comments;
    if (!isLost || !isRecord(body)) return { status, body };
    if (path.startsWith(`${comments}/`)) return { status: 404, body: { error: { code: 404, message: 'None' } } };
    if (path === comments) return { status, body: { items: [], count: 0 } };
    if (path !== space || !isRecord(body['permissions'])) return { status, body };
    return { status, body: { ...body, comments: 0, permissions: { ...body['permissions'], access: false } } };
  };
  const dispose = async (): Promise<void> => {
    await proxy[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  };
  return { world, proxy, [Symbol.asyncDispose]: dispose };
}

describe('walker, a right that is lost in the middle of a walk', () => {
  it('is told of, where the space counts no more comments than it shows by then', async () => {
    await using lost = await silenced();
    const { snapshot } = await lost.world.sync({ client: lost.proxy.client });
    expect(snapshot.state).toBe('partial');
    expect(snapshot.reason).toMatch(/scope shrank: no access on space /);
  });

  it('is no evidence that what is hidden is gone: comments had tombstones, and came back as new versions with the right', async () => {
    await using lost = await silenced();
    const { world, proxy } = lost;
    const comments = "select count(*) as n from versions v join resources r using (rid) where r.kind = 'comment'";
    const before = rowsOf(world.mirror, comments);
    await world.sync({ client: proxy.client });
    const ended = "select kind from tombstones join resources using (rid) where kind like '%comment%'";
    expect(rowsOf(world.mirror, ended)).toEqual([]);
    proxy.rewrite = () => undefined;
    expect((await world.sync({ client: proxy.client })).snapshot.state).toBe('complete');
    expect(rowsOf(world.mirror, comments)).toEqual([{ n: Number(before[0]?.['n']) + 1 }]);
  });

  it.each(['listCollections', 'listMembers', 'listSites'])(
    'is no evidence that spaces are gone (lost at %s): each had a tombstone where the token had left the organization meanwhile',
    async (operation) => {
      await using all = await seenByMember();
      const { world, walk } = all;
      const before = stateOf(world.mirror, 1);
      let isLeft = false;
      const client = world.hooked(async (asked) => {
        if (asked !== operation || isLeft) return;
        isLeft = true;
        await all.setRole(null);
      }, walk.client);
      const { snapshot } = await world.sync({ client, mode: 'full' });
      expect([snapshot.state, tombstones(world)]).toEqual(['partial', []]);
      await all.setRole('admin');
      const back = await world.sync(walk);
      expect([back.snapshot.state, tombstones(world)]).toEqual(['complete', []]);
      expect(Object.keys(stateOf(world.mirror, back.snapshot.id))).toEqual(Object.keys(before));
    },
  );

  it('is looked for with one request for each space in which something is gone', async () => {
    await using world = await walkedWorld();
    const { guide: spaceId } = world.made;
    const { items } = await world.api.listComments({ path: { spaceId } });
    for (const { id: commentId } of items) await world.api.deleteComment({ path: { spaceId, commentId } });
    world.platform.clearRequestLog();
    expect((await world.sync()).snapshot.state).toBe('complete');
    const { getSpace, getComment } = world.platform.requestLog.counts();
    expect([getSpace, getComment]).toEqual([1, items.length]);
  });
});
