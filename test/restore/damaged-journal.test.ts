// A journal that somebody else wrote into.
import { expect, it } from 'vitest';
import { furnish } from '../support/content.ts';
import { createTarget } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

it('restore/journal names the step whose notes are damaged: a resume ended as a fault of Docmirror', async () => {
  await using world = await TestWorld.create();
  await furnish(world);
  await world.sync();
  await using target = await createTarget(world);
  const { restore } = await target.apply(await target.plan());
  world.mirror.store.prepare(`update restore_steps set detail = '{"map":' where restore = ? and step = 1`).run(restore);
  await expect(target.resume(restore)).rejects.toMatchObject({
    code: 'DM_DATABASE_DAMAGED',
    message: `What is noted of step 1 of restore ${restore} is damaged: it begins "{\\"map\\":"; expected a JSON object`,
  });
});

it('restore/journal says what can still be restored where its notes are damaged: the new plan that it told people to make was refused', async () => {
  await using world = await TestWorld.create();
  await furnish(world);
  await world.sync();
  await using target = await createTarget(world);
  await target.apply(await target.plan());
  world.mirror.store.prepare(`update restore_steps set detail = '{"map":' where detail is not null`).run();
  await expect(target.plan()).rejects.toMatchObject({
    code: 'DM_DATABASE_DAMAGED',
    hint: expect.stringContaining('restore into another one'),
  });
  await using other = await createTarget(world);
  const { failures } = await other.apply(await other.plan());
  expect(failures).toEqual([]);
});
