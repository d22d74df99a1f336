import { describe, expect, it } from 'vitest';
import { addRequest, addSpace } from '../support/content.ts';
import { recounted, rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

describe('walker/children, a parent that counts none', () => {
  it.each([
    {
      what: 'is not believed while another of its counters says that there are some',
      mode: 'incremental',
      counters: { changeRequests: 0 },
      held: 1,
    },
    {
      what: 'is believed when all of its counters say so',
      mode: 'incremental',
      counters: { changeRequests: 0, changeRequestsDraft: 0 },
      held: 0,
    },
    {
      what: 'is not believed by a full walk',
      mode: 'full',
      counters: { changeRequests: 0, changeRequestsDraft: 0 },
      held: 1,
    },
  ] as const)('$what', async ({ mode, counters, held }) => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    await addRequest(world, await addSpace(world, 'Guide'), { subject: 'A draft' });
    proxy.rewrite = (_asked, { status, body }) => ({ status, body: recounted(body, counters) });
    const { snapshot } = await world.sync({ client: proxy.client, mode });
    expect([snapshot.state, rowsOf(world.mirror, 'select count(*) as n from change_requests')]).toEqual([
      'complete',
      [{ n: held }],
    ]);
  });
});
