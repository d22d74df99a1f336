import { expect, it } from 'vitest';
import { createWorld, importFiles, spaceWithPages } from './world.ts';

it('platform: makes the same slug of a title whichever way a page comes: "v1.2" was v1-2 where it was inserted and v1.2 where it was imported', async () => {
  await using world = await createWorld();
  const inserted = await spaceWithPages(world, { 'v1.2 – Notes': 'text' });
  const imported = await spaceWithPages(world, {});
  await importFiles(world, imported.spaceId, { 'SUMMARY.md': '* [v1.2 – Notes]()\n' });
  for (const { spaceId } of [inserted, imported]) {
    const { body } = await world.call('listPages', { path: { spaceId } });
    expect(body.pages.map(({ slug, path }) => [slug, path])).toEqual([['v1.2-notes', 'v1.2-notes']]);
  }
});
