// A page that is computed from a specification which is not there (any more) shows nothing but its title.
import { expect, it } from 'vitest';
import { addSpace, importFiles } from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
import { drill } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

async function withComputed(): Promise<{ world: TestWorld; spaceId: string }> {
  const world = await TestWorld.create();
  const spaceId = await addSpace(world, 'Guide');
  await importFiles(world, spaceId, { 'README.md': '# Home\n\nText.\n' });
  world.platform.addComputedPage({ space: spaceId, spec: 'gone', title: 'Operations' });
  await world.sync();
  return { world, spaceId };
}

it('restore/drill: passes for an organization with a page that is computed of nothing', async () => {
  const { world } = await withComputed();
  await using _ = world;
  const { passed, differences } = await drill(world);
  expect([passed, differences.filter(({ class: is }) => is === 'exact')]).toEqual([true, []]);
});

it('restore/in-place: a page that was computed of nothing comes back without a text, and that is verified', async () => {
  const { world, spaceId } = await withComputed();
  await using _ = world;
  const place = inPlace(world);
  const { pages } = await world.api.getRevision({ path: { spaceId } });
  const page = pages.find(({ title }) => title === 'Operations')?.id ?? '';
  const path = { spaceId, changeRequestId: (await world.api.createChangeRequest({ path: { spaceId } })).id };
  await world.api.changeContent({ path, body: { changes: [{ type: 'delete_page', page }] } });
  await world.api.mergeChangeRequest({ path });
  const { restore, failures } = await place.apply(await place.plan());
  expect(failures).toEqual([]);
  expect((await place.verify(restore)).passed).toBe(true);
  const now = await world.api.getRevision({ path: { spaceId } });
  expect(now.pages.map(({ title }) => title)).toEqual(['Home', 'Operations']);
});
