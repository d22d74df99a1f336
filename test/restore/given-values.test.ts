// What had no value when it was mirrored, and was given one since that no operation takes away.
import { expect, it } from 'vitest';
import { inPlace } from '../support/in-place.ts';
import { TestWorld } from '../support/world.ts';

it('restore/in-place: a field that was given options passes, once all else of it is set back as its plan says', async () => {
  await using world = await TestWorld.create();
  const path = { organizationId: world.organization };
  await world.api.createCustomField({ path, body: { name: 'stage', type: 'text', title: 'Stage' } });
  await world.sync();
  const place = inPlace(world);
  await world.api.updateCustomField({
    path: { ...path, fieldName: 'stage' },
    body: { title: 'Other', options: ['a'] },
  });
  const plan = await place.plan();
  expect(plan.steps.map(({ part, note }) => `${part}: ${note}`)).toEqual([
    'none: options had no value, and no operation takes one away',
    'fields: title',
  ]);
  const { restore } = await place.apply(plan);
  const { passed, differences } = await place.verify(restore);
  expect([passed, differences]).toEqual([
    true,
    [expect.objectContaining({ field: 'options', class: 'bestEffort', expected: 'nothing', got: '["a"]' })],
  ]);
});

it('restore/in-place: a field whose title was not set back does not pass for the options that it was given', async () => {
  await using world = await TestWorld.create();
  const path = { organizationId: world.organization };
  await world.api.createCustomField({ path, body: { name: 'stage', type: 'text', title: 'Stage' } });
  await world.sync();
  const place = inPlace(world);
  const own = { ...path, fieldName: 'stage' };
  await world.api.updateCustomField({ path: own, body: { title: 'Other', options: ['a'] } });
  const { restore } = await place.apply(await place.plan());
  await world.api.updateCustomField({ path: own, body: { title: 'Another' } });
  expect((await place.verify(restore)).passed).toBe(false);
});
