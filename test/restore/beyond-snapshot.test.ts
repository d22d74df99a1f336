// What stands in a restored space and is of no page of the snapshot.
import { expect, it } from 'vitest';
import { edit, insert } from '../support/content.ts';
import { mirrored } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';

it('restore/verify names pages of a restored space that the snapshot does not have: what a platform puts into new spaces, or added twice, passed for a faithful restore', async () => {
  const { world, made } = await mirrored();
  await using _world = world;
  await using target = await createTarget(world);
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures).toEqual([]);
  expect(await target.verify(restore)).toMatchObject({ passed: true });
  const { title } = await world.api.getSpace({ path: { spaceId: made.guide } });
  const spaces = target.platform.requestLog
    .recent()
    .flatMap(({ target: asked }) => /^\/v1\/spaces\/([^/]+)\/content\/import$/.exec(asked)?.[1] ?? []);
  const { api } = target.client;
  for (const spaceId of new Set(spaces))
    if ((await api.getSpace({ path: { spaceId } })).title === title)
      await edit({ api }, spaceId, insert('Welcome', 'Begin here.'));
  const report = await target.verify(restore);
  expect(report.passed).toBe(false);
  expect(report.differences.filter((one) => one.class === 'exact')).toMatchObject([
    { kind: 'page', field: '*', expected: 'not there', got: 'Welcome, which the snapshot does not have' },
  ]);
});
