import { describe, expect, it } from 'vitest';
import { furnish } from '../support/content.ts';
import { TestWorld } from '../support/world.ts';
import { rowsOf, stateOf } from '../support/state.ts';

describe('walker/walk', () => {
  it('tmp', async () => {
    await using world = await TestWorld.create();
    await furnish(world);
    const first = await world.sync();
    console.log(first.snapshot.state, first.snapshot.reason, first.failures, first.snapshot.requests);
    console.table(first.kinds);
    console.log(Object.entries(stateOf(world.mirror, 1)).map(([k, v]) => `${k} ${v.text?.length} ${v.sha256?.slice(0,6)}`).join('\n'));
    world.platform.clearRequestLog();
    const second = await world.sync();
    console.log(second.snapshot.state, second.snapshot.requests, world.platform.requestLog.counts());
    console.log(rowsOf(world.mirror, 'select * from space_members'));
    expect(1).toBe(1);
  });
});
