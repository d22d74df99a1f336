import { describe, expect, it } from 'vitest';
import { listDrift } from '../../src/mirror/index.ts';
import { addSpace, edit, insert } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

describe('walker/drift', () => {
  it('finds nothing beyond the contract in what the embedded platform sends', async () => {
    await using world = await furnishedWorld();
    const { snapshot } = await world.sync({ settings: { documents: true } });
    expect(snapshot.state).toBe('complete');
    expect(listDrift(world.mirror)).toEqual([]);
  });

  it('keeps a field that the contract does not know and lists where, since when and how often', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Space');
    await edit(world, space, insert('A', 'text'), insert('B', 'text'));
    world.platform.faults = [{ operation: 'getPage', effect: { addField: 'moodOfTheDay', value: 'sunny' } }];
    const { snapshot } = await world.sync();
    expect(snapshot.state).toBe('complete');
    expect(listDrift(world.mirror)).toEqual([
      expect.objectContaining({
        kind: 'page',
        path: 'moodOfTheDay',
        what: 'field',
        value: '',
        first_seen: 1,
        times: 2,
      }),
    ]);
    const kept = rowsOf(world.mirror, `select json_extract(raw, '$.moodOfTheDay') as mood from pages`);
    expect(kept).toEqual([{ mood: 'sunny' }, { mood: 'sunny' }]);
  });

  it('keeps an enum value that the contract does not know and lists it', async () => {
    await using world = await TestWorld.create();
    await addSpace(world, 'Space');
    world.platform.faults = [{ effect: { enumValue: 'by-moonlight', fields: ['visibility'] } }];
    const { snapshot } = await world.sync();
    expect(snapshot.state).toBe('complete');
    const found = { kind: 'space', path: 'visibility', what: 'value', value: 'by-moonlight', first_seen: 1, times: 1 };
    expect(listDrift(world.mirror)).toEqual([expect.objectContaining(found)]);
    expect(rowsOf(world.mirror, 'select visibility from spaces')).toEqual([{ visibility: 'by-moonlight' }]);
  });

  it('counts a version once, and what has not changed not again', async () => {
    await using world = await TestWorld.create();
    await addSpace(world, 'Space');
    world.platform.faults = [{ effect: { addField: 'extra' } }];
    await world.sync();
    const before = listDrift(world.mirror);
    expect(before.length).toBeGreaterThan(3);
    await world.sync({ mode: 'full' });
    expect(listDrift(world.mirror)).toEqual(before);
  });

  it('keeps a bounded list of what is unknown', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Space');
    await edit(world, space, insert('A', 'text'));
    world.platform.faults = [
      {
        operation: 'getPage',
        effect: { addField: 'layout', value: Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`f${n}`, n])) },
      },
    ];
    await world.sync();
    expect(rowsOf(world.mirror, `select count(*) as n from drift where kind = 'page'`)).toEqual([{ n: 200 }]);
  });
});
