// Pages of a large space that stand behind one which could never be read.
import { expect, it } from 'vitest';
import { acceptSnapshot, readerAt, type SnapshotReader } from '../../src/mirror/index.ts';
import { BehindUnread } from '../../src/restore/compare/behind-unread.ts';
import { addSpace, importFiles, pagesOf } from '../support/content.ts';
import { TestWorld } from '../support/world.ts';

it('restore/verify reads a space once of which a page could never be read: it was read anew for each page behind that', async () => {
  await using world = await TestWorld.create();
  const spaceId = await addSpace(world, 'Docs');
  const names = ['lost', 'a', 'b', 'c', 'd'];
  const files = Object.fromEntries(names.map((name) => [`${name}.md`, `# ${name}\n\nText.\n`]));
  await importFiles(world, spaceId, {
    ...files,
    'SUMMARY.md': '* [a](a.md)\n* [lost](lost.md)\n* [b](b.md)\n  * [c](c.md)\n* [d](d.md)\n',
  });
  const ids = await pagesOf(world, spaceId);
  const effect = { status: 404, body: { error: { code: 404, message: 'No' } } };
  world.platform.faults = [{ operation: 'getPage', pathPattern: `/page/${ids['lost']}`, effect }];
  const { snapshot } = await world.sync();
  acceptSnapshot(world.mirror, snapshot.id, 'ticket 7');
  const reader = readerAt(world.mirror, snapshot.id);
  let reads = 0;
  const counting: SnapshotReader = {
    ...reader,
    outline: (...asked) => {
      reads += 1;
      return reader.outline(...asked);
    },
    resources: (...asked) => {
      reads += 1;
      return reader.resources(...asked);
    },
  };
  const behind = new BehindUnread(counting);
  const pages = [...reader.resources('page', spaceId)];
  const found = pages.filter((page) => behind.has(page)).map(({ body }) => String(body['title']));
  expect(new Set(found)).toEqual(new Set(['b', 'd']));
  expect(reads).toBe(1);
});
