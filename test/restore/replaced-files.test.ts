// A file that somebody has given other bytes since, on a page that comes back.
import { expect, it } from 'vitest';
import { addSpace, edit, importFiles, pagesOf } from '../support/content.ts';
import { bare, type InPlaceChoice } from '../support/in-place.ts';

const FILES = {
  'SUMMARY.md': '* [Use](use.md)\n* [See](see.md)\n',
  'use.md': '# Use\n\nRead the [notes](assets/notes.txt).\n',
  'see.md': '# See\n\nThe [notes](assets/notes.txt).\n',
};

it.each<[string, InPlaceChoice, string]>([
  ['is left as it is where only what is missing comes back', { changed: false }, 'New notes.'],
  ['is set back with all else', {}, 'Old notes.'],
])('restore/in-place: %s', async (_what, choice, text) => {
  let space = '';
  const { world, place } = await bare(async (one) => {
    space = await addSpace(one, 'Notes');
    await importFiles(one, space, { ...FILES, 'assets/notes.txt': 'Old notes.' });
  });
  await using _world = world;
  const path = { spaceId: space };
  await importFiles(world, space, { ...FILES, 'assets/notes.txt': 'New notes.' });
  const { Use = '' } = await pagesOf(world, space);
  await edit(world, space, { type: 'delete_page', page: Use });
  const { restore, failures } = await place.apply(await place.plan(choice));
  expect(failures).toEqual([]);
  const { files } = await world.api.getRevision({ path });
  const texts = files.map(async ({ downloadURL }) => (await fetch(downloadURL)).text());
  expect(await Promise.all(texts)).toEqual([text]);
  expect(await place.verify(restore)).toMatchObject({ passed: true });
});
