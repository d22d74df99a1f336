// A custom field that was deleted took its values in every space along; nothing of those spaces moved.
import { expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import { bare } from '../support/in-place.ts';
import type { TestWorld } from '../support/world.ts';

const SPACES = 9;

async function valuesIn({ api }: TestWorld, spaces: readonly string[]): Promise<unknown[]> {
  const answers = await Promise.all(spaces.map((spaceId) => api.getCustomFieldValues({ path: { spaceId } })));
  return answers.map((values) => values.find(({ customField }) => customField.name === 'stage')?.value);
}

/** A mirrored world in which each of these spaces has a value of one field. */
async function valued() {
  const spaces: string[] = [];
  const mirrored = await bare(async (one) => {
    const path = { organizationId: one.organization };
    await one.api.createCustomField({ path, body: { name: 'stage', type: 'text' } });
    for (let i = 0; i < SPACES; i++) {
      const spaceId = await addSpace(one, `Space ${i}`);
      await one.api.updateCustomFieldValues({ path: { spaceId }, body: { values: { stage: { value: `at ${i}` } } } });
      spaces.push(spaceId);
    }
  });
  return { ...mirrored, spaces };
}

/** The field is deleted; one plan brings every value back, which leaves nothing to do. */
async function lostAndMended({ world, place, spaces }: Awaited<ReturnType<typeof valued>>) {
  const before = await valuesIn(world, spaces);
  world.clock.advance(60_000);
  await world.api.deleteCustomField({ path: { organizationId: world.organization, fieldName: 'stage' } });
  const plan = await place.plan();
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  expect(await valuesIn(world, spaces)).toEqual(before);
  expect(await place.verify(restore)).toMatchObject({ passed: true, differences: [] });
  expect((await place.plan()).steps).toEqual([]);
  return { plan, restore };
}

it('brings the values of a deleted custom field back in every space by one plan, verifies them, and takes them away again', async () => {
  const all = await valued();
  const { world, place, spaces } = all;
  await using _ = world;
  const { plan, restore } = await lostAndMended(all);
  expect((await place.apply(await place.undo(restore, plan))).failures).toEqual([]);
  expect(await valuesIn(world, spaces)).toEqual(spaces.map(() => undefined));
});

it('brings them back in a space out of the bin, too: the field was made anew, and only a second plan set its value there', async () => {
  const all = await valued();
  await using world = all.world;
  const before = await valuesIn(world, all.spaces);
  await world.api.deleteSpace({ path: { spaceId: all.spaces[0] ?? '' } });
  await lostAndMended({ ...all, spaces: all.spaces.slice(1) });
  expect(await valuesIn(world, all.spaces)).toEqual(before);
});
