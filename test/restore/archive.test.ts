import { expect, it } from 'vitest';
import { checkArchive } from '../../src/restore/plan/plan-archive.ts';
import { walkedWorld } from '../support/furnished.ts';
import { createTarget } from '../support/restore.ts';

it('restore/archive: ends when it is told to while it looks through what a restore needs: Ctrl-C was heard when all was read', async () => {
  await using world = await walkedWorld();
  await using target = await createTarget(world);
  const plan = await target.plan();
  const stop = new AbortController();
  let read = 0;
  const verify = (sha256: string): Promise<boolean> => {
    read += 1;
    stop.abort(new Error('told to end'));
    return world.mirror.objects.verify(sha256);
  };
  const watched = { ...world.mirror, objects: { ...world.mirror.objects, verify } };
  await expect(checkArchive(watched, plan, { signal: stop.signal })).rejects.toThrow('told to end');
  expect(read).toBe(1);
});

it('restore/archive: one space comes back though another is damaged: everything was read first, and nothing could be restored', async () => {
  await using world = await walkedWorld();
  const { guide, news } = world.made;
  await using target = await createTarget(world);
  world.mirror.store.driver
    .prepare(
      "update bodies set data = 'bad' where bid in (select v.text from versions v join resources r using (rid) where r.space = ? and r.kind = 'page')",
    )
    .run(news);
  const whole = await target.plan();
  await expect(target.apply(whole)).rejects.toMatchObject({
    code: 'DM_ARCHIVE_DAMAGED',
    message: expect.stringContaining(news),
  });
  const applied = await target.apply(await target.plan({ scope: `space:${guide}` }));
  expect(applied.failures).toEqual([]);
  expect((await target.verify(applied.restore)).passed).toBe(true);
});
