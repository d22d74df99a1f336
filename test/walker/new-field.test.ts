// A custom field that somebody makes: the platform tells of it in the values of each space from then on, and no space moves.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { addSpace } from '../support/content.ts';
import { rewriting } from '../support/rewriting.ts';
import { stateOf, truthOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const VALUES = /\/spaces\/[^/]+\/custom-fields$/;
const SPACES = ['One', 'Two'];

it.each([
  { where: 'beside one without a value', before: ['stage'], valued: [], names: ['tier'] },
  { where: 'beside one without a value, two at once', before: ['stage'], valued: [], names: ['tier', 'owner'] },
  { where: 'where there was none', before: [], valued: [], names: ['tier', 'owner'] },
  { where: 'beside one that has a value in each space', before: ['stage'], valued: SPACES, names: ['tier'] },
])(
  'walk reads the values of each space where a field is new, $where: a complete mirror lacked them for a week',
  async ({ before, valued, names }) => {
    await using world = await TestWorld.create();
    const make = (name: string) =>
      world.api.createCustomField({ path: { organizationId: world.organization }, body: { name, type: 'text' } });
    for (const name of before) await make(name);
    for (const title of SPACES) {
      const spaceId = await addSpace(world, title);
      const values = { stage: { value: 'done' } };
      if (valued.includes(title)) await world.api.updateCustomFieldValues({ path: { spaceId }, body: { values } });
    }
    await world.sync();
    for (const name of names) await make(name);
    const { snapshot, kinds } = await world.sync();
    expect(snapshot.state).toBe('complete');
    expect(kinds['custom-field-value']).toMatchObject({
      added: SPACES.length * names.length,
      unchanged: SPACES.length * before.length,
    });
    expect(stateOf(world.mirror, snapshot.id)).toEqual(await truthOf(world));
    const { kinds: quiet } = await world.sync();
    expect(quiet['custom-field-value']).toMatchObject({ added: 0, changed: 0, gone: 0 });
  },
);

it('walk asks no space for its values where a field is new and the platform leaves fields without a value out', async () => {
  await using world = await TestWorld.create();
  await using proxy = await rewriting(world);
  proxy.rewrite = ({ path }, { status, body }) =>
    VALUES.test(path) && Array.isArray(body) ? { status, body: body.filter(hasValue) } : undefined;
  const make = (name: string) =>
    world.api.createCustomField({ path: { organizationId: world.organization }, body: { name, type: 'text' } });
  await make('stage');
  const [spaceId] = [await addSpace(world, 'One'), await addSpace(world, 'Two')];
  await world.api.updateCustomFieldValues({ path: { spaceId }, body: { values: { stage: { value: 'done' } } } });
  await world.sync({ client: proxy.client });
  await make('tier');
  world.platform.clearRequestLog();
  const { snapshot, kinds } = await world.sync({ client: proxy.client });
  expect([snapshot.state, kinds['custom-field']?.added, world.asked('getCustomFieldValues')]).toEqual([
    'complete',
    1,
    0,
  ]);
});

function hasValue(one: unknown): boolean {
  return isRecord(one) && (one['value'] ?? null) !== null;
}
