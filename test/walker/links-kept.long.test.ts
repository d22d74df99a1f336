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

it('takes in 1,200 links of one page in portions, each once; of a listing that broke off in its last page it takes in nothing', async () => {
  await using world = await furnishedWorld();
  const { guide } = world.made;
  const links = Array.from({ length: 1200 }, (_, n) => `[to ${n}](https://docs.example/${n})`);
  const markdown = links.join(' ');
  await edit(world, guide, insert('Many', markdown));
  await world.sync();
  const held = () =>
    rowsOf(world.mirror, "select id from links where target_reference like '%docs.example/%' order by id");
  const before = held();
  expect(before).toHaveLength(1200);
  const { Many = '' } = await pagesOf(world, guide);
  const fewer = links.slice(1).join(' ');
  await edit(world, guide, { type: 'update_page', page: Many, document: { markdown: fewer } });
  world.platform.faults = [{ operation: 'listSpaceLinks', nth: 12, count: 100, effect: { status: 500 } }];
  const { snapshot } = await world.sync();
  expect([snapshot.state, held()]).toEqual(['partial', before]);
  world.platform.faults = [];
  const { kinds } = await world.sync();
  expect([held().length, kinds['link']]).toMatchObject([1199, { added: 0, gone: 1 }]);
});
