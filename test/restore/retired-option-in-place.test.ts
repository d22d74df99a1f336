// Values that are set back in a space that stands, one of which the platform takes no more.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Plan } from '../../src/restore/index.ts';
import { mirroredAnew, type Mirrored } from '../support/in-place.ts';
import { rowsOf } from '../support/state.ts';

let world: Mirrored['world'];
let place: Mirrored['place'];
let space: string;

const anew = mirroredAnew(async ({ api, organization }, { guide }) => {
  const path = { organizationId: organization };
  await api.createCustomField({ path, body: { name: 'stage', type: 'select:single', options: ['old', 'new'] } });
  for (const name of ['days', 'weeks']) await api.createCustomField({ path, body: { name, type: 'number' } });
  const values = { stage: { value: 'old' }, days: { value: 3 }, weeks: { value: 4 } };
  await api.updateCustomFieldValues({ path: { spaceId: guide }, body: { values } });
});

beforeEach(async () => {
  const there = await anew();
  ({ world, place } = there);
  space = there.made.guide;
});

afterEach(() => world[Symbol.asyncDispose]());

const setStage = async (value: string) =>
  world.api.updateCustomFieldValues({ path: { spaceId: space }, body: { values: { stage: { value } } } });
const setOptions = async (...options: string[]) =>
  world.api.updateCustomField({
    path: { organizationId: world.organization, fieldName: 'stage' },
    body: { options },
  });
const stage = async () => {
  const values = await world.api.getCustomFieldValues({ path: { spaceId: space } });
  return values.find(({ customField }) => customField.name === 'stage')?.value;
};
const doubted = ({ preflight }: Plan) => preflight.filter(({ check }) => check === 'custom field stage');

it('sets the other values of a space back where the option of one was retired, and names that one', async () => {
  const changed = { stage: { value: 'new' }, days: { value: 30 }, weeks: { value: 40 } };
  await world.api.updateCustomFieldValues({ path: { spaceId: space }, body: { values: changed } });
  await setOptions('new');

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

it('a plan of one space names the value whose option was retired, and what to do: it failed with a bare 400', async () => {
  await setStage('new');
  await setOptions('new');
  const plan = await place.plan({ scope: `space:${space}` });
  expect(doubted(plan)).toEqual([
    {
      check: 'custom field stage',
      state: 'warn',
      detail:
        '"old" is no option any more: the platform may refuse it as the value of Guide; the others are set all the same. ' +
        `A plan in place with \`--scope organization:${world.organization}\` gives the field its options back, too; or give the field that option by hand, and plan again`,
    },
  ]);
  const { restore, failed, failures } = await place.apply(plan);
  expect(failed).toBe(1);
  expect(failures[0]).toMatchObject({
    error: expect.stringMatching(/^the value of stage was not taken: PATCH .* answered 400/) as string,
    hint: `See of which type the custom field stage is by now, and give it the option again that it lacks. Then run \`docmirror restore resume ${restore}\`.`,
  });
  await setOptions('old', 'new');
  expect(await place.resume(restore)).toMatchObject({ failed: 0, failures: [] });
  expect(await stage()).toBe('old');
});

it('the value waits for the options of its field that the plan sets back: it was given up where these came only with the resume', async () => {
  await setStage('new');
  await setOptions('new');
  const plan = await place.plan();
  expect(doubted(plan)).toEqual([]);
  world.platform.faults = [{ operation: 'updateCustomField', effect: { status: 500 } }];
  const { restore, skipped } = await place.apply(plan);
  world.platform.faults = [];
  expect(skipped).toBe(1);
  expect(await place.resume(restore)).toMatchObject({ failed: 0, skipped: 0, failures: [] });
  expect(await stage()).toBe('old');
});

it('a plan, and the way back from one, names an option that no plan gives back: it was none in the snapshot either', async () => {
  await setOptions('new');
  await world.sync();
  await setStage('new');
  const plan = await place.plan({ snapshot: 2 });
  expect(doubted(plan)[0]?.detail).toMatch(/\. To have it back, give the field that option by hand, and plan again$/);
  await setOptions('old', 'new');
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  await setOptions('old');
  expect(doubted(await place.undo(restore, plan))[0]?.detail).toMatch(
    /^"new" is no option any more: .*\. To have it back, give the field that option by hand, and plan again$/,
  );
});

it('a field that was made again with another type is named with what to do: its options were set on it, or nothing was said', async () => {
  const path = { organizationId: world.organization };
  await world.api.deleteCustomField({ path: { ...path, fieldName: 'stage' } });
  await world.api.createCustomField({ path, body: { name: 'stage', type: 'number' } });
  await world.api.updateCustomFieldValues({ path: { spaceId: space }, body: { values: { stage: { value: 7 } } } });
  const plan = await place.plan();
  expect(plan.steps.filter(({ kind }) => kind === 'custom-field')).toEqual([
    expect.objectContaining({
      action: 'unsupported',
      note: 'one of type number has its name now, which was of type select:single: delete that one, and plan again, and it comes back with its values',
    }),
  ]);
  expect(doubted(plan)[0]?.detail).toMatch(
    /^made again as one of type number, and was of type select:single: the platform may refuse it as the value of Guide; /,
  );
  await world.api.deleteCustomField({ path: { ...path, fieldName: 'stage' } });
  expect((await place.apply(await place.plan())).failures).toEqual([]);
  expect(await stage()).toBe('old');
});
