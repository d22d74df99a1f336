import { expect, it } from 'vitest';
import { readerAt, type SnapshotReader } from '../../src/mirror/index.ts';
import {
  filesOfPart,
  pagesInOrder,
  partsAmong,
  partsOf,
  withAncestors,
} from '../../src/restore/content/import-parts.ts';
import { addSpace, importFiles } from '../support/content.ts';
import { TestWorld } from '../support/world.ts';

const PAGES = 12;

/** The same reader, and how often it was asked for one thing by itself. */
function counted(reader: SnapshotReader): { readonly reader: SnapshotReader; times: number } {
  const read = {
    times: 0,
    reader: {
      ...reader,
      one: (...asked: Parameters<SnapshotReader['one']>) => {
        read.times++;
        return reader.one(...asked);
      },
    },
  };
  return read;
}

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
  const read = counted(reader);
  const all = pagesInOrder(reader, { space });
  const parts = partsOf(reader, { space }, { maxPages: 3, maxBytes: null }) ?? [];
  const sent = parts.map((part, at) => {
    const isLast = at === parts.length - 1;
    return filesOfPart(read.reader, { space }, { pages: all, part: withAncestors(all, part), isLast });
  });
  expect(sent.map(({ size }) => size)).toEqual([2, 3, 3, 3]);
  // The last one alone has to know what no page shows.
  expect(read.times).toBe(PAGES - 3 + PAGES);
});

it('restore/content divides missing pages by their own texts and files: a file that a standing page shows too was counted for none of them, and each text of the space was read', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Book');
  const shown = (name: string) => `# ${name}\n\nSee [it](note.txt).`;
  const names = ['A stands', 'B stands', 'C gone', 'D gone'];
  const pages = names.map((name) => [`${name.replace(' ', '-')}.md`, shown(name)]);
  await importFiles(world, space, { ...Object.fromEntries(pages), 'note.txt': 'N'.repeat(1000) });
  const { snapshot } = await world.sync();
  const reader = readerAt(world.mirror, snapshot.id);
  const read = counted(reader);
  const gone = pagesInOrder(reader, { space }).filter(({ body }) => String(body['title']).includes('gone'));
  const ids = new Set(gone.map(({ id }) => id));
  const parts = partsAmong(read.reader, { space, ids }, { maxPages: null, maxBytes: 1000 });
  expect([parts, read.times]).toEqual([gone.map(({ id }) => [id]), 2]);
});
