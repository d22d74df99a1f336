import { expect, it } from 'vitest';
import { readerAt, type Outlined, type SnapshotReader } from '../../src/mirror/index.ts';
import { MissingPages } from '../../src/restore/in-place/missing-pages.ts';
import { IdMap } from '../../src/restore/journal/id-map.ts';
import { addSpace, importFiles } from '../support/content.ts';
import { TestWorld } from '../support/world.ts';

const LINKS = 200;

/** The same, and how often the title of a page was read. */
function counted(reader: SnapshotReader): { readonly reader: SnapshotReader; readonly reads: () => number } {
  let reads = 0;
  const counting = (page: Outlined): Outlined => ({
    ...page,
    body: new Proxy(page.body, {
      get: (body, field) => {
        if (field === 'title') reads++;
        return body[String(field)];
      },
    }),
  });
  return {
    reader: {
      ...reader,
      *outline(kind, within) {
        for (const page of reader.outline(kind, within)) yield counting(page);
      },
    },
    reads: () => reads,
  };
}

it('restore/in-place looks at each page of a space once for all links that were led elsewhere: at all of them for each, a minute for 8,000', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Links');
  const lines = Array.from({ length: LINKS }, (_, at) => `* [Link ${at}](https://example.com/${at})`);
  await importFiles(world, space, { 'SUMMARY.md': lines.join('\n') });
  const { snapshot } = await world.sync();
  const live = readerAt(world.mirror, snapshot.id);
  const { reader, reads } = counted(live);
  const there = new MissingPages({ reader: live, live: reader, heirs: new IdMap(), replaceable: new Set() }, space);
  const links = [...live.outline('page', space)];
  expect([links.length, links.map((link) => there.besideLink(link))]).toEqual([LINKS, links.map(() => undefined)]);
  expect(reads()).toBeLessThan(10 * LINKS);
});
