// A link may lead to a space as a whole, without naming a page of it.
import { expect, it } from 'vitest';
import { addSpace, edit, importFiles, insert, pagesOf } from '../support/content.ts';
import { bare } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';
import type { TestWorld } from '../support/world.ts';

async function demandWhole(world: TestWorld): Promise<void> {
  await using target = await createTarget(world);
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures).toEqual([]);
  const report = await target.verify(restore);
  expect(report.differences.filter((one) => one.class === 'exact')).toEqual([]);
  expect(report.brokenLinks).toEqual({ before: 0, after: 0 });
}

it('restore/apply leads links to whole spaces to the spaces that were restored', async () => {
  const { world } = await bare(async (world) => {
    const [one, other] = [await addSpace(world, 'One'), await addSpace(world, 'Other')];
    await edit(world, one, insert('Linking', `See [the other](/spaces/${other}#top) and [this](/spaces/${one}).`));
  });
  await using _world = world;
  await demandWhole(world);
});

it('restore/apply leads links to link pages and groups to those that it made', async () => {
  const { world } = await bare(async (world) => {
    const space = await addSpace(world, 'One');
    const summary = '* [Out](https://example.com)\n\n## Group\n\n* [In](in.md)\n';
    await importFiles(world, space, { 'SUMMARY.md': summary, 'in.md': '# In\n\nIn a group.\n' });
    const { Out: out = '', Group: group = '' } = await pagesOf(world, space);
    await edit(world, space, insert('Linking', `See [it](/pages/${out}) and [them](/pages/${group}).`));
  });
  await using _world = world;
  await demandWhole(world);
});
