import { mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { TestWorld } from './world.ts';
import { runFolder } from './run-folder.ts';

it('support/run-folder removes what killed test runs have left: each left 13 MB for good', async () => {
  await using world = await TestWorld.create();
  const cache = world.folder();
  for (const [name, at] of [
    ['docmirror-source-old', 0],
    ['docmirror-source-new', world.clock.now() / 1000],
    ['other', 0],
  ] as const) {
    mkdirSync(join(cache, name));
    utimesSync(join(cache, name), at, at);
  }
  const made = basename(runFolder('source', cache));
  expect(readdirSync(cache).toSorted()).toEqual([made, 'docmirror-source-new', 'other'].toSorted());
});
