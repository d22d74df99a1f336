// A link may lead to a space as a whole, without naming a page of it.
import { expect, it } from 'vitest';
import { addSpace, edit, insert } from '../support/content.ts';
import { mirrored } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';

it('restore/apply leads links to whole spaces to the spaces that were restored', async () => {
  const { world } = await mirrored(async (world) => {
    const [one, other] = [await addSpace(world, 'One'), await addSpace(world, 'Other')];
    await edit(world, one, insert('Linking', `See [the other](/spaces/${other}#top) and [this](/spaces/${one}).`));
  });
  await using _world = world;
  await using target = await createTarget(world);
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures).toEqual([]);
  const report = await target.verify(restore);
  expect(report.differences.filter((one) => one.class === 'exact')).toEqual([]);
  expect(report.brokenLinks).toEqual({ before: 0, after: 0 });
});
