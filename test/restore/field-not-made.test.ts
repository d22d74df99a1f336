// A custom field that the target does not let be made, with the values of the others.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

let world: TestWorld;
let space: string;

beforeEach(async () => {
  world = await TestWorld.create();
  space = await addSpace(world, 'Guide');
  const path = { organizationId: world.organization };
  await world.api.createCustomField({ path, body: { name: 'stage', type: 'text' } });
  await world.api.createCustomField({ path, body: { name: 'days', type: 'number' } });
  const values = { stage: { value: 'new' }, days: { value: 3 } };
  await world.api.updateCustomFieldValues({ path: { spaceId: space }, body: { values } });
  await world.sync();
});

afterEach(() => world[Symbol.asyncDispose]());

// The platform refuses a field without a name.
const noStage: Rewriting['send'] = ({ method, path }, text) =>
  method === 'POST' && path.endsWith('/custom-fields') && text.includes('"stage"') ? '{}' : undefined;

/** The fields are gone, and one of them is not let be made again through what this gives. */
async function withoutFields(): Promise<Rewriting> {
  const { organization: organizationId, api } = world;
  for (const fieldName of ['stage', 'days']) await api.deleteCustomField({ path: { organizationId, fieldName } });
  const proxy = await rewriting(world);
  proxy.send = noStage;
  return proxy;
}

async function valuesOf(api: TestWorld['api'], spaceId: string): Promise<unknown[]> {
  const values = await api.getCustomFieldValues({ path: { spaceId } });
  return values.map(({ customField, value }) => [customField.name, value]);
}

it('a field that cannot be made keeps no value of another away: the space had none of its values', async () => {
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  proxy.send = noStage;
  const { restore, skipped } = await target.apply(await target.plan(), { client: proxy.client });
  expect(skipped).toBe(1);
  const { failed, lacking, failures } = await target.resume(restore, { client: proxy.client });
  expect([failed, lacking], 'the field may still be made').toEqual([1, 0]);
  expect(failures.map(({ error }) => error)).toContain('no value of stage, which could not be made');
  expect(await valuesOf(target.client.api, await target.spaceCalled('Guide'))).toEqual([['days', 3]]);
  const { differences } = await target.verify(restore);
  const missing = differences.filter(({ kind }) => kind === 'custom-field-value').map(({ key }) => key);
  expect(missing).toEqual([`${space}/stage`]);
});

it('its values come back with it where a resume makes it', async () => {
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  proxy.send = noStage;
  const { restore } = await target.apply(await target.plan(), { client: proxy.client });
  const { failures } = await target.resume(restore);
  expect(failures).toEqual([]);
  expect((await target.verify(restore)).passed).toBe(true);
});

it('its values come back with it where a later resume makes it: they were lost once a resume had come before its reason was mended', async () => {
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  proxy.send = noStage;
  const { restore } = await target.apply(await target.plan(), { client: proxy.client });
  await target.resume(restore, { client: proxy.client });
  const { failures, failed, lacking } = await target.resume(restore);
  expect([failures, failed, lacking]).toEqual([[], 0, 0]);
  expect((await target.verify(restore)).passed).toBe(true);
  expect((await target.resume(restore)).requests, 'it is set once').toBe(0);
});

it('its values come back with it in place where a later resume makes it', async () => {
  await using proxy = await withoutFields();
  const place = inPlace(world);
  const { restore } = await place.apply(await place.plan(), { client: proxy.client });
  await place.resume(restore, { client: proxy.client });
  expect((await place.resume(restore)).failures).toEqual([]);
  expect((await place.verify(restore)).passed).toBe(true);
});

it('a field that cannot be made again in place keeps the values of the others, and gets its own with a resume', async () => {
  await using proxy = await withoutFields();
  const place = inPlace(world);
  const { restore, skipped } = await place.apply(await place.plan(), { client: proxy.client });
  expect(skipped).toBe(1);
  expect((await place.resume(restore)).failures).toEqual([]);
  expect(await valuesOf(world.api, space)).toEqual([
    ['days', 3],
    ['stage', 'new'],
  ]);
  expect((await place.verify(restore)).passed).toBe(true);
});
