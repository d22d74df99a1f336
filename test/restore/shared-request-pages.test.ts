// Two change requests that hold the same pages of their space, which has deleted them since.
import { expect, it } from 'vitest';
import { addRequest, addSpace, edit, importFiles, insert, pagesOf } from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
import { drill } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

const PAGES = {
  'SUMMARY.md': '* [Home](README.md)\n* [Use](use.md)\n  * [Deep](deep.md)\n',
  'README.md': '# Home\n\nSee [use](use.md).\n',
  'use.md': '# Use\n\nGo [deep](deep.md).\n',
  'deep.md': '# Deep\n\nBack to [use](use.md).\n',
};

async function withRequests(world: TestWorld): Promise<{ spaceId: string; changeRequestId: string }[]> {
  const space = await addSpace(world, 'Guide');
  await importFiles(world, space, PAGES);
  const { Use: page = '' } = await pagesOf(world, space);
  const requests: { spaceId: string; changeRequestId: string }[] = [];
  for (const subject of ['One', 'Two']) {
    world.clock.advance(1);
    const changes = [insert(subject, `Of request ${subject}.`)];
    requests.push({ spaceId: space, changeRequestId: (await addRequest(world, space, { subject, changes })).id });
  }
  await edit(world, space, { type: 'delete_page', page });
  await world.sync();
  return requests;
}

it('restore/drill: passes for two change requests that both hold pages which their space has deleted', async () => {
  await using world = await TestWorld.create();
  await withRequests(world);
  const { passed, differences } = await drill(world);
  expect([passed, differences.filter(({ class: is }) => is === 'exact')]).toEqual([true, []]);
});

it('restore/in-place: pages that come back to change requests, as new ones, leave nothing for a second plan to do', async () => {
  await using world = await TestWorld.create();
  const place = inPlace(world);
  const requests = await withRequests(world);
  world.clock.advance(60_000);
  // With what the space has by now, they lose what it has deleted.
  for (const path of requests) await world.api.pullIntoChangeRequest({ path });
  const { restore, failures } = await place.apply(await place.plan());
  expect(failures).toEqual([]);
  expect((await place.verify(restore)).passed).toBe(true);
  expect((await place.plan()).steps).toEqual([]);
});
