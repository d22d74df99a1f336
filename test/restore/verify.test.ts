// A verification that has nothing to compare with proves nothing.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import { forget, restoreById } from '../../src/mirror/index.ts';
import { edit } from '../support/content.ts';
import { mirroredAnew, type Mirrored } from '../support/in-place.ts';

const anew = mirroredAnew();

const NEWEST = { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 };

let world: Mirrored['world'];
let made: Mirrored['made'];
let place: Mirrored['place'];

beforeEach(async () => {
  ({ world, made, place } = await anew());
});

afterEach(() => world[Symbol.asyncDispose]());

/** Restores a page that was deleted; and somebody deletes it again. */
async function restoreAndLose(): Promise<string> {
  await edit(world, made.guide, { type: 'delete_page', page: made.pages['Use'] ?? '' });
  const { restore } = await place.apply(await place.plan({ changed: false }));
  expect(await place.verify(restore)).toMatchObject({ passed: true });
  const { pages } = await world.api.getRevision({ path: { spaceId: made.guide } });
  await edit(world, made.guide, { type: 'delete_page', page: pages.find(({ title }) => title === 'Use')?.id ?? '' });
  return restore;
}

describe('restore/verify', () => {
  it('does not say passed when the snapshot was forgotten meanwhile: it says so, and leaves the earlier result', async () => {
    const restore = await restoreAndLose();
    expect(await place.verify(restore)).toMatchObject({ passed: false });
    await world.sync();
    atOnce(forget(world.mirror, NEWEST));
    const { report } = restoreById(world.mirror, restore);
    place.clear();
    await expect(place.verify(restore)).rejects.toMatchObject({ code: 'DM_SNAPSHOT_UNKNOWN' });
    expect(restoreById(world.mirror, restore).report).toBe(report);
    expect(world.platform.requestLog.recent()).toEqual([]);
  });

  it('never passes with nothing compared where something was to come back', async () => {
    const restore = await restoreAndLose();
    world.mirror.store
      .prepare(`delete from versions where rid in (select rid from resources where kind = 'page')`)
      .run();
    const report = await place.verify(restore);
    expect(report.fidelity.exact).toEqual({ fields: 0, equal: 0 });
    expect(report.passed).toBe(false);
  });
});
