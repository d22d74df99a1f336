// A platform of several machines: what was just written is shown some seconds later.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addCollection, addSpace, edit, importFiles, pagesOf } from '../support/content.ts';
import { lagging, type Lagging } from '../support/lagging.ts';
import { inPlace, type InPlace } from '../support/in-place.ts';
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

interface Ruined extends AsyncDisposable {
  readonly world: TestWorld;
  readonly proxy: Lagging;
  readonly place: InPlace;
  readonly space: string;
}

/** That world a minute after one of its pages was deleted and the other one changed, before a platform that lags. */
async function ruined(): Promise<Ruined> {
  const folder = mkdtempSync(join(tmpdir(), 'docmirror-lagging-'));
  const database = join(folder, 'platform.db');
  const world = await TestWorld.create({ database });
  const space = await smallWorld(world);
  await world.sync();
  const pages = await pagesOf(world, space);
  await edit(world, space, { type: 'delete_page', page: pages['Use'] ?? '' });
  await edit(world, space, { type: 'update_page', page: pages['Home'] ?? '', title: 'House' });
  world.clock.advance(60_000);
  const proxy = await lagging(world, { platform: world.platform, database });
  const dispose = async (): Promise<void> => {
    await proxy[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  };
  return { world, proxy, place: inPlace(world, proxy.client), space, [Symbol.asyncDispose]: dispose };
}

it('restore/apply in place knows the pages that came back although the merge is shown seconds later: verify missed them for good', async () => {
  await using there = await ruined();
  const { world, place, proxy } = there;
  const { restore, failures } = await place.apply(await place.plan(), { clock: proxy.clock });
  expect(failures).toEqual([]);
  world.clock.advance(60_000);
  expect(await place.verify(restore)).toMatchObject({ passed: true });
});
