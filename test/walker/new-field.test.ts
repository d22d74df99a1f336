// A custom field that somebody makes: the platform tells of it in the values of each space from then on, and no space moves.
import { expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import { stateOf, truthOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

it.each([[['tier']], [['tier', 'owner']]])(
  'walk reads the values of each space where the fields %j are new: a complete mirror lacked them for a week',
  async (names) => {
    await using world = await TestWorld.create();
    for (const title of ['One', 'Two']) await addSpace(world, title);
    const make = (name: string) =>
      world.api.createCustomField({ path: { organizationId: world.organization }, body: { name, type: 'text' } });
    await make('stage');
    await world.sync();
    for (const name of names) await make(name);
    const { snapshot, kinds } = await world.sync();
    expect(snapshot.state).toBe('complete');
    expect(kinds['custom-field-value']).toMatchObject({ added: 2 * names.length, unchanged: 2 });
    expect(stateOf(world.mirror, snapshot.id)).toEqual(await truthOf(world));
    const { kinds: quiet } = await world.sync();
    expect(quiet['custom-field-value']).toMatchObject({ added: 0, changed: 0, gone: 0 });
  },
);
