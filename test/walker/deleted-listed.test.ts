// A space in the bin that listings go on to show, saying so.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { deletedSpaces } from '../../src/mirror/index.ts';
import { addSpace, edit, insert } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { rewriting } from '../support/rewriting.ts';
import { stateOf } from '../support/state.ts';

/** The answer with the space in the bin, wherever it shows it. */
function binned(value: unknown, space: string, deletedAt: string): unknown {
  const mark = (_key: string, one: unknown): unknown =>
    isRecord(one) && one['object'] === 'space' && one['id'] === space ? { ...one, deletedAt } : one;
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value), mark) as unknown);
}

it('walker ends a space that listings go on to show as deleted: it was held as one that stands, and nobody was told that it can be brought back', async () => {
  await using world = await furnishedWorld();
  const { collection } = world.made;
  const space = await addSpace(world, 'Binned', collection);
  await edit(world, space, insert('Page', 'Text.'));
  await using proxy = await rewriting(world);
  await world.sync({ client: proxy.client });
  const deletedAt = new Date(world.clock.now()).toISOString();
  proxy.rewrite = (_asked, { status, body }) => ({ status, body: binned(body, space, deletedAt) });
  for (const mode of ['incremental', 'full', 'incremental'] as const) {
    const { snapshot } = await world.sync({ client: proxy.client, mode });
    expect(snapshot.state).toBe('complete');
    const held = Object.keys(stateOf(world.mirror, snapshot.id)).filter((key) => key.startsWith(`space ${space}`));
    expect(held).toEqual([]);
    expect(deletedSpaces(world.mirror, world.clock.now()).map(({ id }) => id)).toEqual([space]);
  }
});
