import { describe, expect, it } from 'vitest';
import { parseLarge } from '../../src/client/large-json.ts';
import type { ApiClient } from '../../src/client/index.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { stateOf } from '../support/state.ts';
import type { TestWorld } from '../support/world.ts';

/** A client to which every revision and every document comes as a large answer does. */
function largeClient(world: TestWorld): ApiClient {
  const client = world.hooked(() => undefined);
  const callRaw: ApiClient['callRaw'] = async (name, input, options) => {
    const answer = await world.client.callRaw(name, input, options);
    if (options?.largeLists === undefined) return answer;
    return parseLarge(Buffer.from(JSON.stringify(answer)), { fields: new Set(options.largeLists), short: 0 });
  };
  return Object.assign(client, { callRaw });
}

describe('walker/tree, large revisions', () => {
  it('arrives at the same mirror when the lists of revisions and documents stay in their bytes', async () => {
    await using world = await furnishedWorld();
    const settings = { documents: true };
    const { snapshot } = await world.sync({ settings });
    using other = await world.newMirror();
    const large = await world.sync({ settings, mirror: other, client: largeClient(world) });
    expect(large.kinds['page-document']?.added).toBeGreaterThan(0);
    expect(large.snapshot.state).toBe('complete');
    expect(stateOf(other, large.snapshot.id)).toEqual(stateOf(world.mirror, snapshot.id));
  });
});
