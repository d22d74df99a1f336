// An option that was taken from a custom field while a space still has it as its value.
import { expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import { createTarget, observer } from '../support/restore.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

async function withRetiredOption(values: Record<string, { value: string | number }>): Promise<TestWorld> {
  const world = await TestWorld.create();
  const path = { organizationId: world.organization };
  const spaceId = await addSpace(world, 'Guide');
  await world.api.createCustomField({ path, body: { name: 'stage', type: 'select:single', options: ['old', 'new'] } });
  await world.api.createCustomField({ path, body: { name: 'days', type: 'number' } });
  await world.api.updateCustomFieldValues({ path: { spaceId }, body: { values } });
  await world.api.updateCustomField({ path: { ...path, fieldName: 'stage' }, body: { options: ['new'] } });
  await world.sync();
  return world;
}

it('does not lose the other values of a space for one whose option was retired', async () => {
  await using world = await withRetiredOption({ stage: { value: 'old' }, days: { value: 3 } });
  await using target = await createTarget(world);
  const { restore, failures, ...result } = await target.apply(await target.plan());
  expect(result).toMatchObject({ failed: 0, skipped: 0 });
  expect(failures.map(({ error }) => error)).toEqual([
    expect.stringMatching(/^the value of stage was not taken: PATCH .* answered 400: ".*must be among new"/),
  ]);
  await using seen = await observer(world)(target.client, { organizations: [target.organization], invites: [] });
  const rows = rowsOf(seen.mirror, 'select value from custom_field_values order by id');
  expect(rows).toEqual([{ value: 3 }, { value: null }]);
  const { passed, differences } = await target.verify(restore);
  expect(passed).toBe(false);
  expect(differences.filter(({ kind }) => kind === 'custom-field-value')).toEqual([
    expect.objectContaining({ key: expect.stringMatching(/\/stage$/), expected: 'restored', got: 'missing' }),
  ]);
});

it('says of the step that it failed where no value of a space is taken', async () => {
  await using world = await withRetiredOption({ stage: { value: 'old' } });
  await using target = await createTarget(world);
  const { failed, failures } = await target.apply(await target.plan());
  expect(failed).toBe(1);
  expect(failures[0]?.error).toContain('must be among new');
});
