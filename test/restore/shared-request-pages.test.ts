// Two change requests that hold the same pages of their space, which has deleted them since.
import { expect, it } from 'vitest';
import { addRequest, addSpace, edit, importFiles, insert, pagesOf } from '../support/content.ts';
import { drill } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

const PAGES = {
  'SUMMARY.md': '* [Home](README.md)\n* [Use](use.md)\n  * [Deep](deep.md)\n',
  'README.md': '# Home\n\nText.\n',
  'use.md': '# Use\n\nGo [deep](deep.md).\n',
  'deep.md': '# Deep\n\nBack to [use](use.md).\n',
};

it('restore/drill: passes for two change requests that both hold pages which their space has deleted', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Guide');
  await importFiles(world, space, PAGES);
  const { Use: page = '' } = await pagesOf(world, space);
  for (const subject of ['One', 'Two']) {
    world.clock.advance(1);
    await addRequest(world, space, { subject, changes: [insert(subject, `Of request ${subject}.`)] });
  }
  await edit(world, space, { type: 'delete_page', page });
  await world.sync();
  const { passed, differences } = await drill(world);
  expect([passed, differences.filter(({ class: is }) => is === 'exact')]).toEqual([true, []]);
});
