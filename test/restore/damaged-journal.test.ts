// A journal that somebody else wrote into, or that cannot be written.
import { expect, it } from 'vitest';
import { checkAdvice } from '../../src/cli/views/check.ts';
import { checkMirror } from '../../src/mirror/index.ts';
import { mirroredAnew } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';

const anew = mirroredAnew();

it('restore/journal names the step whose notes are damaged: a resume ended as a fault of Docmirror', async () => {
  await using world = (await anew()).world;
  await using target = await createTarget(world);
  const { restore } = await target.apply(await target.plan());
  world.mirror.store.prepare(`update restore_steps set detail = '{"map":' where restore = ? and step = 1`).run(restore);
  await expect(target.resume(restore)).rejects.toMatchObject({
    code: 'DM_DATABASE_DAMAGED',
    message: `What is noted of step 1 of restore ${restore} is damaged: it begins "{\\"map\\":"; expected a JSON object`,
  });
});

it('restore/journal says what can still be restored where its notes are damaged: the new plan that it told people to make was refused', async () => {
  await using world = (await anew()).world;
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

it('mirror/check names the notes of a restore that are damaged, before a plan needs them: check found nothing wrong', async () => {
  await using world = (await anew()).world;
  await using target = await createTarget(world);
  const { restore } = await target.apply(await target.plan());
  const { store } = world.mirror;
  const problems = async (): Promise<object[]> => (await checkMirror(world.mirror, { readData: false })).problems;
  expect(await problems()).toEqual([]);
  store.prepare(`update restore_steps set detail = '{"map":' where restore = ? and step = 1`).run(restore);
  store.prepare(`update restore_steps set detail = '[]' where restore = ? and step = 2`).run(restore);
  const found = await problems();
  expect(found).toEqual([
    { what: 'journal', which: `restore ${restore}, step 1`, problem: 'what is noted of it is damaged' },
    { what: 'journal', which: `restore ${restore}, step 2`, problem: 'what is noted of it is damaged' },
  ]);
  const advice = checkAdvice({ problems: [{ what: 'journal', which: '', problem: '' }], exportKept: null });
  expect(advice).toMatch(/^Put back a copy of mirror\.db/);
});

it('restore/journal ends an apply that it cannot note: the step was called failed though its write was done, and the next ones went on being written', async () => {
  await using world = (await anew()).world;
  await using target = await createTarget(world);
  const { store } = world.mirror;
  store.driver.exec(
    "create trigger full before insert on restore_steps when new.state = 'done' and new.step = 2 begin select raise(abort, 'no room'); end",
  );
  await expect(target.apply(await target.plan())).rejects.toThrow('no room');
  const noted = store.prepare('select step, state from restore_steps order by step').all();
  expect(noted).toEqual([
    { step: 1, state: 'done' },
    { step: 2, state: 'started' },
  ]);
  store.driver.exec('drop trigger full');
  const { id = '' } = store.prepare<{ id: string }>('select id from restores').get() ?? {};
  expect(await target.resume(id)).toMatchObject({ failures: [], failed: 0, left: 0 });
});
