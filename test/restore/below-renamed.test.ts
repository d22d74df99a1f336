// A page comes back alone, below one that somebody renamed and that nobody asked for.
import { expect, it } from 'vitest';
import { edit } from '../support/content.ts';
import { mirrored } from '../support/in-place.ts';

it('restore/verify passes a page that came back below one whose new name was not asked for', async () => {
  const { world, made, place } = await mirrored();
  await using _world = world;
  const [page, above] = [made.pages['Linux'] ?? '', made.pages['Install'] ?? ''];
  await edit(world, made.guide, { type: 'update_page', page: above, title: 'Set up', slug: 'set-up' });
  await edit(world, made.guide, { type: 'update_page', page, title: 'Spoilt', document: { markdown: 'Spoilt.' } });
  const { restore, failures } = await place.apply(await place.plan({ scope: `page:${page}` }));
  expect(failures).toEqual([]);
  const { passed, differences } = await place.verify(restore);
  expect([passed, differences]).toMatchObject([true, [{ field: 'path', class: 'bestEffort', got: 'set-up/linux' }]]);
});
