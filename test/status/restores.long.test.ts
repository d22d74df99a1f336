// What the status says of restores: those that have not come to their end, and the spaces that one has brought out of the bin.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isoTime } from '../../src/base/index.ts';
import { statusDocument, statusView } from '../../src/cli/views/status.ts';
import { createStyle } from '../../src/cli/views/style.ts';
import { readStatus, type StatusReport } from '../../src/status/index.ts';
import { deletedSpaces } from '../../src/status/pages/deleted-spaces.ts';
import { openRestores } from '../../src/status/pages/restores.ts';
import { addCollection } from '../support/content.ts';
import { mirrored, type Mirrored } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';
import { withoutFlagMarks } from '../support/status-page.ts';

const DAY = 86_400_000;
const FRESHNESS = { snapshotMs: 30 * DAY, drillMs: 30 * DAY };
const FLAGS = ' --data-dir there';

let there: Mirrored;

beforeEach(async () => {
  there = await mirrored();
});

afterEach(() => there.world[Symbol.asyncDispose]());

function status(): StatusReport {
  return readStatus(there.world.mirror, there.world.clock.now(), FRESHNESS);
}

function linesOf(holder: string | null = null): string[] {
  const around = { dataDir: 'there', holder, pages: 0, flags: FLAGS };
  const look = { style: createStyle(false), width: Number.POSITIVE_INFINITY, named: String };
  const lines = statusView(status(), around, look).split('\n');
  return lines.filter((line) => /[Rr]estore|deleted|to (?:go on|take)/.test(line)).map((line) => line.trim());
}

async function page(): Promise<string> {
  const named = (text: string): string => `${text}${FLAGS}`;
  return withoutFlagMarks(
    String(await openRestores(status(), null, named)) + String(await deletedSpaces(status(), named)),
  );
}

describe('status/restores that have not come to their end', () => {
  const failing = [{ operation: 'deleteCollection', effect: { status: 503 } }] as const;

  /** One that fails with a write; another one that is killed before its first. */
  async function incomplete(): Promise<string> {
    const { world, place } = there;
    await addCollection(world, 'New');
    const plan = await place.plan({ added: true });
    world.platform.faults = [...failing];
    const { restore } = await place.apply(plan);
    world.platform.faults = [];
    return restore;
  }

  it('names one of which something failed, how to go on with it and how to take it back: it named none', async () => {
    const restore = await incomplete();
    const { url } = there.world.platform;
    expect(linesOf()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^Restore ${restore} is incomplete: begun [-0-9]{10} [:0-9]{5} UTC at ${url}, 0 writes done, 1 not$`,
        ),
      ),
      `to go on with it: docmirror restore resume ${restore}${FLAGS}`,
      `to take it back: docmirror restore undo ${restore}${FLAGS}`,
    ]);
    expect(await page()).toContain(`<code>docmirror restore resume ${restore}${FLAGS}</code> goes on with it`);
    const around = { dataDir: 'there', holder: null, pages: 0, flags: FLAGS };
    expect(statusDocument({ ...status(), failures: [] }, around)).toMatchObject({
      restores: [{ id: restore, state: 'failed', resume: `docmirror restore resume ${restore}${FLAGS}` }],
    });
    expect((await there.place.resume(restore)).failures).toEqual([]);
    expect([linesOf(), (await page()).trim()]).toEqual([[], '']);
  });

  it('names one that was cut off, and none that is under way', async () => {
    const { world, place } = there;
    await addCollection(world, 'New');
    const plan = await place.plan({ added: true });
    const stop = new AbortController();
    const keepBefore = (): Promise<void> => Promise.resolve(stop.abort());
    await expect(place.apply(plan, { keepBefore, signal: stop.signal })).rejects.toThrow();
    expect(linesOf()[0]).toMatch(/^Restore \w+ was cut off: begun /);
    expect(linesOf('restore, process 1')).toEqual([]);
    expect(linesOf('sync, process 1')[0]).toMatch(/^Restore \w+ was cut off/);
  });

  it('names the target of one that went elsewhere', async () => {
    await using target = await createTarget(there.world);
    target.platform.faults = [{ operation: 'createComment', effect: { status: 503 } }];
    const { restore } = await target.apply(await target.plan());
    const flags = ` --target-url ${target.platform.url}${FLAGS}`;
    expect(linesOf()).toContain(`to go on with it: docmirror restore resume ${restore}${flags}`);
  });

  it('names the undo of one that is being taken back, which is only gone on with', async () => {
    const { world, made, place } = there;
    await world.api.updateCollection({ path: { collectionId: made.nested }, body: { title: 'Bad' } });
    const plan = await place.plan();
    const { restore } = await place.apply(plan);
    const back = await place.undo(restore, plan);
    world.platform.faults = [{ operation: 'updateCollection', effect: { status: 503 } }];
    const { restore: undo } = await place.apply(back);
    world.platform.faults = [];
    expect(linesOf()).toEqual([
      expect.stringContaining(`Restore ${undo}, which takes back restore ${restore}, is incomplete: begun `),
      `to go on with it: docmirror restore resume ${undo}${FLAGS}`,
    ]);
  });
});

describe('status/a space that a restore has brought out of the bin since the last walk', () => {
  it('is not offered to be undeleted, and is said to be back: it was offered until the next walk', async () => {
    const { world, made, place } = there;
    await world.api.deleteSpace({ path: { spaceId: made.guide } });
    const plan = await place.plan();
    expect(linesOf()).toContainEqual(expect.stringContaining('it can be undeleted for'));
    const { restore } = await place.apply(plan);
    const back = `Space Guide (${made.guide}) was deleted, and is back by restore ${restore}: the next walk sees it`;
    expect([linesOf(), status().deletedSpaces]).toEqual([[back], []]);
    expect(await page()).toContain(`Guide: by restore ${restore}`);
    await world.sync();
    expect([linesOf(), status().broughtBack]).toEqual([[], []]);
  });

  it('is offered, when it was deleted again, whatever a clock that ran ahead has dated the restore: it was said to be back, for as long as that', async () => {
    const { world, made, place } = there;
    const path = { spaceId: made.guide };
    await world.api.deleteSpace({ path });
    await place.apply(await place.plan());
    world.mirror.store.prepare('update restore_steps set at = ?').run(isoTime(world.clock.now() + 400 * DAY));
    await world.sync();
    await world.api.deleteSpace({ path });
    await world.sync();
    expect([status().deletedSpaces.map(({ id }) => id), status().broughtBack]).toEqual([[made.guide], []]);
  });

  it('is offered again once that was taken back', async () => {
    const { world, made, place } = there;
    await world.api.deleteSpace({ path: { spaceId: made.guide } });
    const plan = await place.plan();
    const { restore } = await place.apply(plan);
    const back = await place.undo(restore, plan);
    expect(status().deletedSpaces).toEqual([]);
    await place.apply(back);
    const { snapshot } = await world.sync();
    expect([status().deletedSpaces.map(({ id }) => id), snapshot.id > 2]).toEqual([[made.guide], true]);
  });
});
