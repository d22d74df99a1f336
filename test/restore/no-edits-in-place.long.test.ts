// In a space that stands, on a platform that has no operation that edits pages, as the API describes it.
import { expect, it } from 'vitest';
import { edit } from '../support/content.ts';
import { mirroredAnew } from '../support/in-place.ts';

const anew = mirroredAnew();

it('restore/in-place merges no change request that nothing came into: it was shown as merged, and gave the space another revision', async () => {
  const { world, made, place } = await anew();
  await using _world = world;
  const [spaceId, path] = [made.guide, { spaceId: made.guide }];
  const page = made.pages['Use'] ?? '';
  await edit(world, spaceId, { type: 'update_page', page, document: { markdown: '# Use\n\nVandalised.' } });
  const { revision } = await world.api.getSpace({ path });
  const plan = await place.plan();
  world.platform.faults = [{ operation: 'changeContent', effect: { status: 404 } }];
  const { restore, failures, untouched } = await place.apply(plan);
  expect(failures).toMatchObject([{ error: expect.stringContaining('no operation that edits pages') as unknown }]);
  expect(untouched).toBe(1);
  expect((await world.api.getSpace({ path })).revision).toBe(revision);
  const { items } = await world.api.listChangeRequests({ path, query: { status: 'archived' } });
  expect(items.filter(({ subject }) => subject.includes(restore))).toHaveLength(1);
});
