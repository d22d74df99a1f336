// A custom field may be named `__proto__`: the names that are allowed are lower case letters, digits, `_` and `-`.
import { expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
import { drill } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

const NAME = '__proto__';
const valueOf = (value: string) => Object.fromEntries([[NAME, { value }]]);

async function withField(): Promise<{ world: TestWorld; spaceId: string }> {
  const world = await TestWorld.create();
  const path = { organizationId: world.organization };
  const spaceId = await addSpace(world, 'Guide');
  await world.api.createCustomField({ path, body: { name: NAME, type: 'text' } });
  await world.api.updateCustomFieldValues({ path: { spaceId }, body: { values: valueOf('before') } });
  await world.sync();
  return { world, spaceId };
}

it('restore/drill: the value of a custom field named __proto__ is not lost', async () => {
  const { world } = await withField();
  await using _ = world;
  expect(await drill(world)).toMatchObject({ passed: true, differences: [] });
});

it('restore/in-place: the value of a custom field named __proto__ is set back', async () => {
  const { world, spaceId } = await withField();
  await using _ = world;
  const place = inPlace(world);
  world.clock.advance(60_000);
  await world.api.updateCustomFieldValues({ path: { spaceId }, body: { values: valueOf('since') } });
  const { restore, failures } = await place.apply(await place.plan());
  expect(failures).toEqual([]);
  expect(await place.verify(restore)).toMatchObject({ passed: true, differences: [] });
  const values = await world.api.getCustomFieldValues({ path: { spaceId } });
  expect(values.map(({ value }) => value)).toEqual(['before']);
});
