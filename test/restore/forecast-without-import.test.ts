import { expect, it } from 'vitest';
import { planSummary } from '../../src/restore/index.ts';
import { addSpace, edit, importFiles, pagesOf } from '../support/content.ts';
import { mirrored } from '../support/in-place.ts';
import { createTarget, withoutImport } from '../support/restore.ts';

it.each([false, true])(
  'a plan says how many requests it takes where the target has no import: it sent twice as many (review: %s)',
  async (review) => {
    const { world } = await mirrored(async (made) => {
      const titles = Array.from({ length: 120 }, (_, i) => `Page ${i}`);
      const files = Array.from({ length: 23 }, (_, i) => [`assets/${i}.txt`, `File ${i}\n`] as const);
      await importFiles(made, await addSpace(made, 'Large'), {
        'SUMMARY.md': titles.map((title, i) => `${'  '.repeat(i % 5)}* [${title}](p${i}.md)\n`).join(''),
        ...Object.fromEntries(titles.map((title, i) => [`p${i}.md`, `# ${title}\n\n[On](p${(i * 7) % 120}.md)\n`])),
        ...Object.fromEntries(files),
      });
    });
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
