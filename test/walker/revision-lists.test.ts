// Revisions that leave out a list: the API document requires none of their fields, and says that there are other shapes of them.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { addSpace, edit, insert } from '../support/content.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const FIELD = 'reusableContents';

/** Revisions have this in the place of their list of reusable contents; undefined leaves it out. */
function show(proxy: Rewriting, listed: unknown): void {
  proxy.rewrite = ({ path }, { status, body }) => {
    if (!path.endsWith('/content') || !isRecord(body)) return undefined;
    const { [FIELD]: _left, ...rest } = body;
    return { status, body: listed === undefined ? rest : { ...rest, [FIELD]: listed } };
  };
}

it.each([undefined, null])(
  'walker reads the pages of a revision that shows %s for reusable contents: nothing of any space was read, on every night',
  async (listed) => {
    await using world = await TestWorld.create();
    await edit(world, await addSpace(world, 'Guide'), insert('Intro', 'text'));
    await using proxy = await rewriting(world);
    show(proxy, listed);
    for (const mode of ['incremental', 'full'] as const)
      expect((await world.sync({ client: proxy.client, mode })).snapshot.state).toBe('complete');
    expect(rowsOf(world.mirror, 'select title from pages')).toEqual([{ title: 'Intro' }]);
  },
);

it('walker takes no reusable contents for gone where a revision leaves out their list, and is not complete', async () => {
  await using world = await TestWorld.create();
  await edit(world, await addSpace(world, 'Guide'), insert('Intro', 'text'));
  await using proxy = await rewriting(world);
  show(proxy, [{ object: 'reusable-content', id: 'r1', title: 'Notice' }]);
  await world.sync({ client: proxy.client });
  const codes = { undefined: 'DM_INCOMPLETE', none: 'DM_BAD_RESPONSE' };
  for (const odd of [undefined, undefined, 'none'] as const) {
    show(proxy, odd);
    const { snapshot, kinds } = await world.sync({ client: proxy.client, mode: 'full' });
    expect(snapshot.state).toBe('partial');
    expect(kinds['reusable-content']).toMatchObject({ gone: 0, missing: 0, failed: 1 });
    const told = rowsOf(world.mirror, `select code from failures where snapshot = ${snapshot.id}`);
    expect(told).toEqual([{ code: codes[odd ?? 'undefined'] }]);
    expect(rowsOf(world.mirror, 'select title from reusable_contents')).toEqual([{ title: 'Notice' }]);
  }
  show(proxy, []);
  await world.sync({ client: proxy.client });
  const { snapshot } = await world.sync({ client: proxy.client });
  expect(snapshot.state).toBe('complete');
  expect(rowsOf(world.mirror, 'select title from reusable_contents')).toEqual([]);
});

it('walker takes a list of reusable contents that goes on to be left out for an empty one after half a day: each night was partial for ever', async () => {
  await using world = await TestWorld.create();
  await edit(world, await addSpace(world, 'Guide'), insert('Intro', 'text'));
  await using proxy = await rewriting(world);
  show(proxy, [{ object: 'reusable-content', id: 'r1', title: 'Notice' }]);
  await world.sync({ client: proxy.client });
  const states: string[] = [];
  show(proxy, undefined);
  for (const hours of [0, 1, 13, 0]) {
    world.clock.advance(hours * 3_600_000);
    states.push((await world.sync({ client: proxy.client, mode: 'full' })).snapshot.state);
  }
  // What is lacking from an empty list is a suspicion, which the next walk confirms.
  expect(states).toEqual(['partial', 'partial', 'partial', 'complete']);
  expect(rowsOf(world.mirror, 'select title from reusable_contents')).toEqual([]);
});
