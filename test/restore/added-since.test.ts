// What vandals, or colleagues, added since the snapshot stays in a mend in place unless the plan is to take it away.
import { expect, it } from 'vitest';
import { addSpace, edit, importFiles, insert, pagesOf } from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
import { TestWorld } from '../support/world.ts';

it('restore/in-place: a plan without --delete says how much was added since, and stays; it was silent about it', async () => {
  await using world = await TestWorld.create();
  const place = inPlace(world);
  const space = await addSpace(world, 'Guide');
  await edit(world, space, insert('Kept', 'Text'));
  await world.sync();
  world.clock.advance(60_000);
  const { Kept: page = '' } = await pagesOf(world, space);
  await edit(world, space, insert('Spam', 'Buy'), insert('More spam', 'Buy'), { type: 'delete_page', page });
  await importFiles(world, await addSpace(world, 'Casino'), { 'README.md': '# Play\n' });
  const said = ({ preflight }: Awaited<ReturnType<typeof place.plan>>) =>
    preflight.filter(({ check }) => check === 'added since');
  expect(said(await place.plan({ missing: true, changed: true, added: false }))).toEqual([
    {
      check: 'added since',
      state: 'ok',
      detail: '1 space, 2 pages that the snapshot does not have: left; with `--delete` the plan takes them away',
    },
  ]);
  const plan = await place.plan({ missing: true, changed: true, added: true });
  expect(said(plan)).toEqual([]);
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  expect(said(await place.plan({ missing: true, changed: true, added: false }))).toEqual([]);
  expect(said(await place.undo(restore, plan))).toEqual([]);
});
