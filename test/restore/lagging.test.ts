// A platform of several machines: what was just written is shown some seconds later.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addCollection, addSpace, importFiles } from '../support/content.ts';
import { lagging } from '../support/lagging.ts';
import { createTarget } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

const PAGES = {
  'SUMMARY.md': '* [Home](README.md)\n* [Use](use.md)\n',
  'README.md': '# Home\n\nBegin with [its use](use.md).\n',
  'use.md': '# Use\n\nRun it.\n',
};

/** A collection with a space, in which there are pages and a comment. */
async function smallWorld(world: TestWorld): Promise<string> {
  const space = await addSpace(world, 'Guide', await addCollection(world, 'All'));
  await importFiles(world, space, PAGES);
  await world.api.createComment({ path: { spaceId: space }, body: { body: { markdown: 'Good.' } } });
  return space;
}

it('restore/apply on a platform that shows writes seconds later brings everything: its spaces were "deleted while the restore ran"', async () => {
  await using world = await TestWorld.create();
  await smallWorld(world);
  await world.sync();
  const database = join(world.folder(), 'platform.db');
  await using target = await createTarget(world, { database });
  await using proxy = await lagging(world, { platform: target.platform, database });
  const plan = await target.plan({ client: proxy.client, targetUrl: proxy.url });
  const { restore, failures } = await target.apply(plan, proxy);
  expect(failures).toEqual([]);
  expect(await target.verify(restore)).toMatchObject({ passed: true });
});
