import { expect, it } from 'vitest';
import { readReport } from '../../src/status/index.ts';
import { addSpace, edit, importFiles, pagesOf } from '../support/content.ts';
import { TestWorld } from '../support/world.ts';

it('status/report counts one edit of a page in the night that brought it: its document tree and each page of its change request counted as added', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Guide');
  const names = ['ant', 'bee', 'cat', 'dog', 'eel'];
  await importFiles(world, space, Object.fromEntries(names.map((name) => [`${name}.md`, `# ${name}\n\nText.\n`])));
  const settings = { documents: true };
  await world.sync({ settings });
  const { bee = '' } = await pagesOf(world, space);
  await edit(world, space, { type: 'update_page', page: bee, document: { markdown: 'Edited.' } });
  await world.sync({ settings });
  const changed = readReport(world.mirror)?.changes.map(({ kind, change }) => `${kind} ${change}`);
  expect(changed).toEqual(['space changed', 'page changed', 'change-request added']);
  expect(readReport(world.mirror)?.nights.at(-1)).toMatchObject({ added: 1, changed: 2, gone: 0 });
});
