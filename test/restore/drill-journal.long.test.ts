// A drill each night: what it leaves in the mirror must not grow with what is rehearsed, nor with the number of nights.
import { describe, expect, it } from 'vitest';
import { stepsOf } from '../../src/mirror/index.ts';
import { keptReport } from '../../src/restore/drill.ts';
import type { VerifyReport } from '../../src/restore/index.ts';
import { readStatus } from '../../src/status/index.ts';
import { walkedWorld } from '../support/furnished.ts';
import { createTarget, drill } from '../support/restore.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const COUNTS = `select (select count(*) from restores) as restores, (select count(*) from restore_steps) as steps,
  (select count(*) from drills) as drills`;

describe('restore/drill, night after night', () => {
  it('leaves one journal, that of the last, beside those of restores that were meant', async () => {
    await using world = await walkedWorld();
    await using target = await createTarget(world);
    const { restore } = await target.apply(await target.plan());
    const meant = stepsOf(world.mirror, restore).length;
    expect(meant).toBeGreaterThan(0);

    await drill(world);
    const [first] = rowsOf(world.mirror, COUNTS);
    expect(first).toMatchObject({ restores: 2, drills: 1 });
    await drill(world);
    expect(rowsOf(world.mirror, COUNTS)).toEqual([{ ...first, drills: 2 }]);
    expect(stepsOf(world.mirror, restore)).toHaveLength(meant);
  });

  it('is noted as not passed where it finds damaged what it needs, until one passes: the mirror stayed ready for a week', async () => {
    await using world = await walkedWorld();
    await drill(world);
    const ready = (): unknown[] => {
      const { reasons } = readStatus(world.mirror, world.clock.now(), { snapshotMs: 1e9, drillMs: 1e9 });
      return reasons.map((reason) => reason.replace(/ at \S+,/, ','));
    };
    expect(ready()).toEqual([]);
    const { driver } = world.mirror.store;
    driver.exec(`create temp table whole as select b.bid, b.data from bodies b join versions v on v.text = b.bid;
      update bodies set data = 'bad' where bid in (select bid from whole)`);
    await expect(drill(world)).rejects.toMatchObject({ code: 'DM_ARCHIVE_DAMAGED' });
    expect(ready()).toEqual(['The last drill, of snapshot 1, did not pass']);
    driver.exec('update bodies set data = whole.data from whole where whole.bid = bodies.bid');
    await drill(world);
    expect(ready()).toEqual([]);
  });

  it('keeps a thousand differences of a drill that brought nothing back, those first that it did not pass for', async () => {
    await using world = await TestWorld.create();
    await world.sync();
    const report = await drill(world);
    const differenceOf = (number: number): VerifyReport['differences'][number] => ({
      kind: 'page',
      key: `space/page${number}`,
      field: 'markdown',
      class: number % 2 === 0 ? 'bestEffort' : 'exact',
      expected: 'Text',
      got: '',
    });
    const differences = Array.from({ length: 1600 }, (_, index) => differenceOf(index));
    const kept = keptReport({ ...report, differences });
    expect([kept.differences.length, kept.differencesLeftOut]).toEqual([1000, 600]);
    expect(kept.differences.filter((one) => one.class === 'exact')).toHaveLength(800);
    expect(keptReport(report)).toEqual({ ...report, differencesLeftOut: 0 });
  });
});
