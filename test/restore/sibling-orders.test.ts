// Which of thousands of siblings must move.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planTree } from '../support/plan-tree.ts';
import { misplaced } from '../../src/restore/in-place/sibling-orders.ts';
import { addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
import { TestWorld } from '../support/world.ts';

const PAGES = Array.from({ length: 12 }, (_, i) => `Page ${i}`);

it('restore/in-place names the one page that somebody moved to the front: it named each that stood before that, and thousands took minutes', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Wide');
  await edit(world, space, ...PAGES.map((title) => insert(title, 'Text.')));
  await world.sync();
  const place = inPlace(world);
  const ids = await pagesOf(world, space);
  await edit(world, space, { type: 'update_page', page: ids['Page 10'] ?? '', into: null, at: 0 });
  const plan = await place.plan();
  expect(planTree(plan).slice(1)).toEqual(['    ~ page Page 10  (order)']);
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  expect((await place.verify(restore)).passed).toBe(true);
  expect(Object.keys(await pagesOf(world, space))).toEqual(PAGES);
});

it('restore/in-place/sibling-orders moves as few as bring all others into their old order, and the same on the way back: an undo left siblings in another order', () => {
  const numbers = fc.uniqueArray(fc.nat(12), { maxLength: 9 });
  fc.assert(
    fc.property(numbers, numbers, (one, other) => {
      const [was, is] = [one.map(String), other.map(String)];
      const moved = new Set(misplaced(was, is));
      const now = is.filter((id) => was.includes(id));
      expect(now.filter((id) => !moved.has(id))).toEqual(was.filter((id) => now.includes(id) && !moved.has(id)));
      // Else an undo would have to move what the restore has not touched, and leave it.
      expect(new Set(misplaced(is, was))).toEqual(moved);
      expect(moved.size).toBe(now.length - longestRising(now.map((id) => was.indexOf(id))));
    }),
  );
});

it('restore/in-place/sibling-orders leaves what is to stay where it stands, however many others must move for that', () => {
  const numbers = fc.uniqueArray(fc.nat(12), { maxLength: 9 });
  fc.assert(
    fc.property(numbers, numbers, fc.func(fc.boolean()), (one, other, isOdd) => {
      const [was, is] = [one.map(String), other.map(String)];
      const stays = (id: string): boolean => isOdd(id);
      const moved = misplaced(was, is, stays);
      const now = is.filter((id) => was.includes(id));
      expect(now.filter((id) => !moved.includes(id))).toEqual(
        was.filter((id) => now.includes(id) && !moved.includes(id)),
      );
      expect(new Set(misplaced(is, was, stays))).toEqual(new Set(moved));
      const fixed = now.filter(stays);
      expect(moved.filter(stays)).toHaveLength(fixed.length - longestRising(fixed.map((id) => was.indexOf(id))));
    }),
  );
});

it('an undo sets back the order of pages that a restore had to move past one it did not touch: that one stayed behind them, since it alone would have had to move', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Anew');
  await edit(world, space, ...['Ant', 'Dog', 'Out'].map((title) => insert(title, 'Text.')));
  await world.sync();
  const place = inPlace(world);
  for (const title of ['Ant', 'Dog']) {
    const { [title]: page = '' } = await pagesOf(world, space);
    await edit(world, space, { type: 'delete_page', page });
    await edit(world, space, insert(title, 'Anew.'));
  }
  expect(Object.keys(await pagesOf(world, space))).toEqual(['Out', 'Ant', 'Dog']);
  const plan = await place.plan();
  const { restore } = await place.apply(plan);
  expect(Object.keys(await pagesOf(world, space))).toEqual(['Ant', 'Dog', 'Out']);
  await place.apply(await place.undo(restore, plan));
  expect(Object.keys(await pagesOf(world, space))).toEqual(['Out', 'Ant', 'Dog']);
});

/** By trying all that there are. */
function longestRising([first, ...rest]: readonly number[], above = -1): number {
  if (first === undefined) return 0;
  const without = longestRising(rest, above);
  return first > above ? Math.max(without, 1 + longestRising(rest, first)) : without;
}

it('restore/in-place moves a page that has the place of before among siblings that turned round: it stayed behind others, and the verification did not see it', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Turned');
  const titles = PAGES.slice(0, 7);
  await edit(world, space, ...titles.map((title) => insert(title, 'Text.')));
  await world.sync();
  const place = inPlace(world);
  const ids = await pagesOf(world, space);
  for (const title of titles)
    await edit(world, space, { type: 'update_page', page: ids[title] ?? '', into: null, at: 0 });
  const plan = await place.plan();
  expect(planTree(plan).filter((line) => line.includes('(order)'))).toHaveLength(titles.length - 1);
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  expect(Object.keys(await pagesOf(world, space))).toEqual(titles);
  const undo = await place.apply(await place.undo(restore, plan));
  expect(undo.failures).toEqual([]);
  expect(Object.keys(await pagesOf(world, space))).toEqual(titles.toReversed());
});

it('restore/in-place of one page moves that page: of two that had changed places it could name the other one, and set back nothing, and so could its undo', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Pair');
  await edit(world, space, ...PAGES.slice(0, 2).map((title) => insert(title, 'Text.')));
  await world.sync();
  const place = inPlace(world);
  const [first = '', second = ''] = Object.values(await pagesOf(world, space));
  await edit(world, space, { type: 'update_page', page: second, into: null, at: 0 });
  for (const page of [first, second]) {
    const plan = await place.plan({ scope: `page:${space}/${page}` });
    expect(plan.steps.flatMap(({ pages }) => pages?.changed ?? [])).toMatchObject([{ id: page, why: ['order'] }]);
    const { restore } = await place.apply(plan);
    expect(Object.values(await pagesOf(world, space))).toEqual([first, second]);
    await place.apply(await place.undo(restore, plan));
    expect(Object.values(await pagesOf(world, space))).toEqual([second, first]);
  }
});
