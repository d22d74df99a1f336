import { expect, it } from 'vitest';
import { edit, insert, pagesOf } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { rowsOf } from '../support/state.ts';

it('a link is the same one after its page was edited: one added line was so many links gone and as many added', async () => {
  await using world = await furnishedWorld();
  const { guide } = world.made;
  const { Install = '' } = await pagesOf(world, guide);
  const links = `[Install](/pages/${Install}), [outside](https://docs.example/a), [nowhere](/pages/gone)`;
  await edit(world, guide, insert('Linking', links));
  await world.sync();
  const ids = () => rowsOf(world.mirror, 'select id, status from links order by id');
  const before = ids();
  const { Linking = '' } = await pagesOf(world, guide);
  await edit(world, guide, {
    type: 'update_page',
    page: Linking,
    document: { markdown: `${links}\n\nOne line more.` },
  });
  const { kinds } = await world.sync();
  expect(before.length).toBeGreaterThanOrEqual(3);
  expect([ids(), kinds['link']]).toMatchObject([before, { added: 0, gone: 0 }]);
});
