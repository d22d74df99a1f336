import { expect, it } from 'vitest';
import { checkArchive } from '../../src/restore/content/archive.ts';
import { furnish } from '../support/content.ts';
import { createTarget } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

it('restore/archive: ends when it is told to while it looks through what a restore needs: Ctrl-C was heard when all was read', async () => {
  await using world = await TestWorld.create();
  await furnish(world);
  await world.sync();
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
