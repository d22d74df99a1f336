import { describe, expect, it } from 'vitest';
import { furnish } from '../support/content.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const LISTINGS = [
  { operation: 'listChangeRequests', view: 'change_requests' },
  { operation: 'listComments', view: 'comments' },
  { operation: 'listCommentReplies', view: 'comment_replies' },
  { operation: 'listChangeRequestComments', view: 'comments' },
] as const;

const countIn = (world: TestWorld, view: string): number =>
  Number(rowsOf(world.mirror, `select count(*) as n from ${view}`)[0]?.['n']);

describe('walker/shortage', () => {
  it.each(LISTINGS)('does not believe an empty $operation of what was never seen', async ({ operation, view }) => {
    await using world = await TestWorld.create();
    await furnish(world);
    world.platform.faults = [{ operation, effect: 'empty-list' }];
    const { snapshot, failures } = await world.sync();
    expect(snapshot.state).toBe('partial');
    expect(failures[0]?.error).toMatch(/^The listing of each [a-z-]+ below \S+ shows 0, and \d+ are counted$/);
    const seen = countIn(world, view);
    world.platform.faults = [];
    expect((await world.sync()).snapshot.state).toBe('complete');
    expect(countIn(world, view)).toBeGreaterThan(seen);
  });

  it('takes it for how the platform counts when the next walk finds just the same, and asks no more', async () => {
    await using world = await TestWorld.create();
    await furnish(world);
    world.platform.faults = [{ operation: 'listComments', effect: 'empty-list' }];
    const states: string[] = [];
    for (let night = 1; night <= 4; night++) states.push((await world.sync({ mode: 'full' })).snapshot.state);
    expect(states).toEqual(['partial', 'complete', 'complete', 'complete']);
  });
});
