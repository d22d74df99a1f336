import { expect, it } from 'vitest';
import { readerAt } from '../../src/mirror/index.ts';
import { filesOfPart, pagesInOrder, partsOf, withAncestors } from '../../src/restore/content/import-parts.ts';
import { addSpace, importFiles } from '../support/content.ts';
import { TestWorld } from '../support/world.ts';

const PAGES = 12;

it('restore/content reads for each of several imports the texts of its own pages: it read those of all pages each time, hours for 20,000', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Book');
  const pages = Array.from({ length: PAGES }, (_, at) => [
    `page-${at}.md`,
    `# Page ${at}\n\nSee [it](note-${at % 5}.txt).`,
  ]);
  const notes = Array.from({ length: 5 }, (_, at) => [`note-${at}.txt`, `Note ${at}`]);
  await importFiles(world, space, Object.fromEntries([...pages, ...notes]));
  const { snapshot } = await world.sync();
  const reader = readerAt(world.mirror, snapshot.id);
  let reads = 0;
  const counting: typeof reader = {
    ...reader,
    one: (...asked) => {
      reads++;
      return reader.one(...asked);
    },
  };
  const all = pagesInOrder(reader, { space });
  const parts = partsOf(reader, { space }, { maxPages: 3, maxBytes: null }) ?? [];
  const sent = parts.map((part, at) => {
    const isLast = at === parts.length - 1;
    return filesOfPart(counting, { space }, { pages: all, part: withAncestors(all, part), isLast });
  });
  expect(sent.map(({ size }) => size)).toEqual([2, 3, 3, 3]);
  // The last one alone has to know what no page shows.
  expect(reads).toBe(PAGES - 3 + PAGES);
});
