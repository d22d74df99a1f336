// Values that are set back in a space that stands, one of which the platform takes no more.
import { expect, it } from 'vitest';
import { mirrored } from '../support/in-place.ts';
import { rowsOf } from '../support/state.ts';

it('sets the other values of a space back where the option of one was retired, and names that one', async () => {
  let space = '';
  const { world, place } = await mirrored(async ({ api, organization }) => {
    const path = { organizationId: organization };
    const { items } = await api.listCollections({ path });
    const spaces = await Promise.all(items.map(({ id }) => api.listCollectionSpaces({ path: { collectionId: id } })));
    space = spaces.flatMap((found) => found.items)[0]?.id ?? '';
    await api.createCustomField({ path, body: { name: 'stage', type: 'select:single', options: ['old', 'new'] } });
    for (const name of ['days', 'weeks']) await api.createCustomField({ path, body: { name, type: 'number' } });
    const values = { stage: { value: 'old' }, days: { value: 3 }, weeks: { value: 4 } };
    await api.updateCustomFieldValues({ path: { spaceId: space }, body: { values } });
  });
  await using _world = world;
  const path = { organizationId: world.organization, fieldName: 'stage' };
  const changed = { stage: { value: 'new' }, days: { value: 30 }, weeks: { value: 40 } };
  await world.api.updateCustomFieldValues({ path: { spaceId: space }, body: { values: changed } });
  await world.api.updateCustomField({ path, body: { options: ['new'] } });

  // Cut off after the first of the values that are set each alone.
  const plan = await place.plan({ scope: `space:${space}` });
  world.platform.faults = [{ operation: 'updateCustomFieldValues', nth: 4, effect: { status: 500 } }];
  const { restore, failed } = await place.apply(plan);
  world.platform.faults = [];
  expect(failed).toBe(1);
  const { failures, ...result } = await place.resume(restore);
  expect(result).toMatchObject({ failed: 0, skipped: 0 });
  expect(failures.map(({ error }) => error)).toEqual([
    expect.stringMatching(/^the value of stage was not taken: PATCH .* answered 400: ".*must be among new"/),
  ]);
  await world.sync();
  expect(rowsOf(world.mirror, 'select value from custom_field_values order by id')).toEqual(
    expect.arrayContaining([{ value: 3 }, { value: 4 }, { value: 'new' }]),
  );
  const { passed, differences } = await place.verify(restore);
  expect(passed).toBe(false);
  expect(differences.filter(({ kind }) => kind === 'custom-field-value')).toEqual([
    expect.objectContaining({ key: expect.stringMatching(/\/stage$/) as string }),
  ]);
});
