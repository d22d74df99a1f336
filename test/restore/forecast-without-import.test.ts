import { expect, it } from 'vitest';
import { planSummary } from '../../src/restore/index.ts';
import { addSpace, edit, importFiles, insert, pagesOf } from '../support/content.ts';
import { bare, bareAnew, mirrored } from '../support/in-place.ts';
import { createTarget, withoutImport } from '../support/restore.ts';

const large = bareAnew(async (world) => {
  const titles = Array.from({ length: 120 }, (_, i) => `Page ${i}`);
  const files = Array.from({ length: 23 }, (_, i) => [`assets/${i}.txt`, `File ${i}\n`] as const);
  await importFiles(world, await addSpace(world, 'Large'), {
    'SUMMARY.md': titles.map((title, i) => `${'  '.repeat(i % 5)}* [${title}](p${i}.md)\n`).join(''),
    ...Object.fromEntries(titles.map((title, i) => [`p${i}.md`, `# ${title}\n\n[On](p${(i * 7) % 120}.md)\n`])),
    ...Object.fromEntries(files),
  });
});

it.each([false, true])(
  'a plan says how many requests it takes where the target has no import: it sent twice as many (review: %s)',
  async (review) => {
    const { world } = await large();
    await using _ = world;
    await using target = await createTarget(world);
    withoutImport(target.platform);
    const plan = await target.plan({ review });
    const { requests, requestsWithoutImport: said } = planSummary(plan);
    const { requests: took } = await target.apply(plan);
    expect(requests).toBeLessThan(0.6 * took);
    expect(Math.abs(said - took) / took).toBeLessThan(0.1);
  },
);

it('so does one in place', async () => {
  const { world, place, made } = await mirrored();
  await using _ = world;
  const { Install: page = '' } = await pagesOf(world, made.guide);
  await edit(world, made.guide, { type: 'delete_page', page });
  withoutImport(world.platform);
  const plan = await place.plan();
  const { requests, requestsWithoutImport: said } = planSummary(plan);
  const { requests: took } = await place.apply(plan);
  expect(requests).toBeLessThan(took);
  expect(Math.abs(said - took) / took).toBeLessThan(0.1);
});

it('a plan can be made of pages that are said to stand below each other: it ended with a full stack', async () => {
  const ids: Record<string, string> = {};
  const { world } = await bare(async (made) => {
    const space = await addSpace(made, 'Round');
    await edit(made, space, insert('One', 'Of one.'), insert('Two', 'Of two.'));
    Object.assign(ids, await pagesOf(made, space));
  });
  await using _ = world;
  const move = `update versions set parent = (select rid from resources where kind = 'page' and id = ?)
    where rid = (select rid from resources where kind = 'page' and id = ?)`;
  const { One: one = '', Two: two = '' } = ids;
  for (const [into, page] of [[one, two] as const, [two, one] as const])
    world.mirror.store.driver.prepare(move).run(into, page);
  await using target = await createTarget(world);
  expect(planSummary(await target.plan()).requestsWithoutImport).toBeGreaterThan(0);
});
