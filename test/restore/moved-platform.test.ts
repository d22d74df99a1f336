// A platform that has a new address is the same one: what was restored into it stays known.
import { expect, it } from 'vitest';
import { listRestores } from '../../src/mirror/index.ts';
import { planRemap } from '../../src/restore/index.ts';
import { organizedWorld } from '../support/furnished.ts';
import { inPlace } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

const NEW = 'http://docs.example.com';

it('restore/in-place knows at a new address of the platform what it made at the old one: all of it was made a second time, and nothing could be verified or taken back', async () => {
  await using world = await TestWorld.create();
  const place = inPlace(world);
  const path = { organizationId: world.organization };
  const { id: siteId } = await world.api.createSite({ path, body: { title: 'Docs' } });
  await world.sync();
  await world.api.deleteSite({ path: { ...path, siteId } });
  const plan = await place.plan();
  const { restore } = await place.apply(plan);
  const targets = (): string[] => listRestores(world.mirror).map(({ target }) => target);
  await world.sync({ origin: NEW, moved: true });
  expect(targets()).toEqual([NEW]);
  await world.sync({ moved: true });
  expect(targets()).toEqual([world.platform.url]);
  expect((await place.plan({ snapshot: 1 })).steps).toEqual([]);
  expect(await place.verify(restore)).toMatchObject({ passed: true });
});

it('restore/remap goes to the new address of a platform: what it wrote could not be verified or taken back, and its plan not applied', async () => {
  await using world = await organizedWorld();
  await world.sync();
  await using target = await createTarget(world);
  const plan = await target.plan();
  const { restore } = await target.apply(plan);
  for (const origin of [target.platform.url, NEW]) await world.sync({ origin, moved: true });
  const remapping = await planRemap({ ...target.settings, restore, plan, choice: { entries: {}, standIn: null } });
  expect(remapping.target.url).toBe(NEW);
});
