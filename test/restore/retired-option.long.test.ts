// An option that was taken from a custom field while a space still has it as its value.
import { expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
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

/** A target that has the field already, without the option: it stays as it is. */
async function withoutOption(world: TestWorld): ReturnType<typeof createTarget> {
  const target = await createTarget(world);
  const path = { organizationId: target.organization };
  await target.client.call('createCustomField', {
    path,
    body: { name: 'stage', type: 'select:single', options: ['new'] },
  });
  return target;
}

it('brings the value back with its field, and the option goes again: no drill passed while a space held one', async () => {
  await using world = await withRetiredOption({ stage: { value: 'old' }, days: { value: 3 } });
  await using target = await createTarget(world);
  const plan = await target.plan();
  expect(plan.steps.find(({ part }) => part === 'options')?.note).toBe(
    'retires old again: spaces hold what nobody can choose any more',
  );
  const { restore, failures, ...result } = await target.apply(plan);
  expect([failures, result]).toMatchObject([[], { failed: 0, skipped: 0 }]);
  await using seen = await observer(world)(target.client, {
    organizations: [target.organization],
    invites: [],
    spaces: null,
  });
  expect(rowsOf(seen.mirror, 'select value from custom_field_values order by id')).toEqual([
    { value: 3 },
    { value: 'old' },
  ]);
  expect(rowsOf(seen.mirror, "select options from custom_fields where name = 'stage'")).toEqual([
    { options: '["new"]' },
  ]);
  expect(await target.verify(restore)).toMatchObject({ passed: true });
});

it('does so in place, too, where the field was deleted and the space stands', async () => {
  await using world = await withRetiredOption({ stage: { value: 'old' } });
  const path = { organizationId: world.organization, fieldName: 'stage' };
  await world.api.deleteCustomField({ path });
  const place = inPlace(world);
  const { restore, ...result } = await place.apply(await place.plan());
  expect(result).toMatchObject({ failed: 0, skipped: 0, failures: [] });
  expect(await place.verify(restore)).toMatchObject({ passed: true, differences: [] });
  expect(await world.api.getCustomField({ path })).toMatchObject({ options: ['new'] });
});

it('takes the option away only once the value stands, after a failure of the one or the other', async () => {
  await using world = await withRetiredOption({ stage: { value: 'old' } });
  for (const operation of ['updateCustomFieldValues', 'updateCustomField'] as const) {
    await using target = await createTarget(world);
    const plan = await target.plan();
    target.platform.faults = [{ operation, effect: { status: 500 } }];
    const { restore } = await target.apply(plan);
    target.platform.faults = [];
    expect(await target.resume(restore)).toMatchObject({ failed: 0, skipped: 0 });
    expect(await target.verify(restore)).toMatchObject({ passed: true });
  }
});

it('does not lose the other values of a space for one whose option was retired', async () => {
  await using world = await withRetiredOption({ stage: { value: 'old' }, days: { value: 3 } });
  await using target = await withoutOption(world);
  const { restore, failures, ...result } = await target.apply(await target.plan({ intoExisting: true }));
  expect(result).toMatchObject({ failed: 0, skipped: 0 });
  expect(failures.map(({ error }) => error)).toEqual([
    expect.stringMatching(/^the value of stage was not taken: PATCH .* answered 400: ".*must be among new"/),
  ]);
  await using seen = await observer(world)(target.client, {
    organizations: [target.organization],
    invites: [],
    spaces: null,
  });
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
  await using target = await withoutOption(world);
  const { failed, failures } = await target.apply(await target.plan({ intoExisting: true }));
  expect(failed).toBe(1);
  expect(failures[0]?.error).toContain('must be among new');
});

it('gives a field that is written, not chosen, no more options than it has: one with a value too long for an option was refused, and no drill passed', async () => {
  await using world = await TestWorld.create();
  const path = { organizationId: world.organization };
  const spaceId = await addSpace(world, 'Guide');
  await world.api.createCustomField({ path, body: { name: 'stage', type: 'text', options: ['new'] } });
  await world.api.updateCustomFieldValues({
    path: { spaceId },
    body: { values: { stage: { value: 'What somebody wrote, longer than any option' } } },
  });
  await world.sync();
  await using target = await createTarget(world);
  const plan = await target.plan();
  expect(plan.steps.filter(({ part }) => part === 'options')).toEqual([]);
  const { restore, failures } = await target.apply(plan);
  expect(failures).toEqual([]);
  expect(await target.verify(restore)).toMatchObject({ passed: true });
});

it('gives a field no more options than one can have: it was refused with all its values', async () => {
  await using world = await TestWorld.create();
  const path = { organizationId: world.organization };
  const spaceId = await addSpace(world, 'Guide');
  const options = Array.from({ length: 50 }, (_, i) => `option ${i}`);
  await world.api.createCustomField({ path, body: { name: 'stage', type: 'select:multi', options } });
  const value = [options[0] ?? '', options[1] ?? ''];
  await world.api.updateCustomFieldValues({ path: { spaceId }, body: { values: { stage: { value } } } });
  const left = [...options.slice(1), 'another'];
  await world.api.updateCustomField({ path: { ...path, fieldName: 'stage' }, body: { options: left } });
  await world.sync();
  await using target = await createTarget(world);
  const { failures } = await target.apply(await target.plan());
  expect(failures.map(({ kind, error }) => [kind, error])).toEqual([
    ['custom-field-value', expect.stringContaining('must be among')],
  ]);
  const fields = await target.client.api.listCustomFields({ path: { organizationId: target.organization } });
  expect(fields.items.map((field) => field.options)).toEqual([left]);
});
