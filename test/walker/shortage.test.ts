import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../src/client/index.ts';
import { addSpace } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { changing, rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const HOUR = 3_600_000;
const LISTINGS = [
  { operation: 'listChangeRequests', view: 'change_requests' },
  { operation: 'listComments', view: 'comments' },
  { operation: 'listCommentReplies', view: 'comment_replies' },
  { operation: 'listChangeRequestComments', view: 'comments' },
] as const;

const countIn = (world: TestWorld, view: string): number =>
  Number(rowsOf(world.mirror, `select count(*) as n from ${view}`)[0]?.['n']);

/** A client that lets somebody do something just before the comments of a space are listed. */
function beforeComments(client: ApiClient, act: () => Promise<void>): ApiClient {
  const paginateRaw: ApiClient['paginateRaw'] = async function* (name, ...rest) {
    if (name === 'listComments') await act();
    yield* client.paginateRaw(name, ...rest);
  };
  const callRaw: ApiClient['callRaw'] = (...call) => client.callRaw(...call);
  return Object.assign(Object.create(client) as ApiClient, { meter: client.meter, callRaw, paginateRaw });
}

async function spaceWithComments(world: TestWorld, count: number): Promise<{ spaceId: string; ids: string[] }> {
  const spaceId = await addSpace(world, 'Discussed');
  const ids: string[] = [];
  for (let left = count; left > 0; left--) {
    const body = { body: { markdown: `Comment ${left}` } };
    ids.push((await world.api.createComment({ path: { spaceId }, body })).id);
  }
  return { spaceId, ids };
}

describe('walker/visits/shortage', () => {
  it.each(LISTINGS)('does not believe an empty $operation of what was never seen', async ({ operation, view }) => {
    await using world = await furnishedWorld();
    world.platform.faults = [{ operation, effect: 'empty-list' }];
    const { snapshot, failures } = await world.sync();
    expect(snapshot.state).toBe('partial');
    expect(failures[0]?.error).toMatch(/^The listing of each [a-z-]+ below \S+ shows 0, and \d+ are counted$/);
    const seen = countIn(world, view);
    world.platform.faults = [];
    expect((await world.sync()).snapshot.state).toBe('complete');
    expect(countIn(world, view)).toBeGreaterThan(seen);
    expect(rowsOf(world.mirror, 'select * from shortages')).toEqual([]);
  });

  it('is complete when the listing shows all of it when it is asked for again', async () => {
    await using world = await TestWorld.create();
    await spaceWithComments(world, 3);
    world.platform.faults = [{ operation: 'listComments', nth: 1, effect: 'empty-list' }];
    expect((await world.sync()).snapshot.state).toBe('complete');
    expect(countIn(world, 'comments')).toBe(3);
  });

  it('is complete when comments are deleted between the read of their space and of their list', async () => {
    await using world = await TestWorld.create();
    const { spaceId, ids } = await spaceWithComments(world, 4);
    await world.sync();
    await world.api.createComment({ path: { spaceId }, body: { body: { markdown: 'One more' } } });
    const client = beforeComments(world.client, async () => {
      for (const commentId of ids.splice(0, 2)) await world.api.deleteComment({ path: { spaceId, commentId } });
    });
    const { snapshot, failures } = await world.sync({ client });
    expect([snapshot.state, failures]).toEqual(['complete', []]);
    expect(countIn(world, 'comments')).toBe(1);
  });

  it('takes it for how the platform counts when it stays so for half a day, however many there come to be', async () => {
    await using world = await TestWorld.create();
    const { spaceId } = await spaceWithComments(world, 2);
    world.platform.faults = [{ operation: 'listComments', effect: 'empty-list' }];
    const walked = async (): Promise<string> => (await world.sync({ mode: 'full' })).snapshot.state;
    expect([await walked(), await walked()]).toEqual(['partial', 'partial']);
    world.clock.advance(13 * HOUR);
    expect([await walked(), await walked()]).toEqual(['complete', 'complete']);
    expect(rowsOf(world.mirror, 'select kind, missing from shortages')).toEqual([{ kind: 'comment', missing: 2 }]);
    await world.api.createComment({ path: { spaceId }, body: { body: { markdown: 'A third that is not shown' } } });
    expect(await walked()).toBe('partial');
  });

  it('is complete on a platform that goes on counting what was deleted: each night in which a comment went was partial', async () => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    const deleted = new Map<unknown, number>();
    proxy.rewrite = changing((one) =>
      one['object'] === 'space' ? { ...one, comments: Number(one['comments']) + (deleted.get(one['id']) ?? 0) } : one,
    );
    const spaces = [await spaceWithComments(world, 5), await spaceWithComments(world, 5)];
    const night = async (going: readonly number[], hidden = 0): Promise<string> => {
      for (const [index, { spaceId, ids }] of spaces.entries()) {
        for (const commentId of ids.splice(0, going[index]))
          await world.api.deleteComment({ path: { spaceId, commentId } });
        deleted.set(spaceId, (deleted.get(spaceId) ?? 0) + (going[index] ?? 0) + hidden);
      }
      world.clock.advance(24 * HOUR);
      return (await world.sync({ client: proxy.client })).snapshot.state;
    };
    expect(await night([0, 0])).toBe('complete');
    // Nothing tells yet that it counts so, and not that a comment is hidden.
    expect([await night([1, 0]), await night([0, 0])]).toEqual(['partial', 'complete']);
    expect([await night([1, 0]), await night([0, 2]), await night([1, 1]), await night([0, 0])]).toEqual(
      Array.from({ length: 4 }, () => 'complete'),
    );
    expect(countIn(world, 'comments')).toBe(4);
    expect(await night([1, 0], 1), 'more than were deleted').toBe('partial');
  });
});
