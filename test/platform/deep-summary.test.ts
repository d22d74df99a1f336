// A table of contents of pages far below each other.
import { expect, it } from 'vitest';
import { addSpace, flatten, importFiles } from '../support/content.ts';
import { TestWorld } from '../support/world.ts';

const DEPTH = 100;

it('platform/import keeps pages a hundred levels deep where they stand: those below the fiftieth came to the top, and a drill missed them', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Deep');
  const levels = Array.from({ length: DEPTH }, (_, i) => i);
  const contents = levels.map((i) => `${'  '.repeat(i)}* [Level ${i}](p${i}.md)`).join('\n');
  const pages = Object.fromEntries(levels.map((i) => [`p${i}.md`, `# Level ${i}\n\nText.\n`]));
  await importFiles(world, space, { ...pages, 'SUMMARY.md': contents });
  const { pages: top } = await world.api.getRevision({ path: { spaceId: space } });
  expect([top.length, flatten(top).length]).toEqual([1, DEPTH]);
});
