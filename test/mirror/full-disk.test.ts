import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manualClock } from '../../src/base/index.ts';
import { openMirror } from '../../src/mirror/index.ts';
import { givenSmallDisk } from '../support/small-disk.ts';

async function codeOfOpening(dataDir: string): Promise<string> {
  try {
    using mirror = await openMirror({ dataDir, clock: manualClock(Date.UTC(2025, 0, 1)) });
    mirror.store.transaction(() => 0);
    return 'opened';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

describe('mirror/full-disk', () => {
  it('is told as what it is, however much room is left, and not as another process that took the data directory', async (context) => {
    const { disk, folder } = givenSmallDisk(context);
    const dataDir = join(folder, 'data');
    expect(await codeOfOpening(dataDir)).toBe('opened');
    const codes = new Set<string>();
    for (let left = 64_000; left <= 130_000; left += 4096) {
      disk.fill(left);
      codes.add(await codeOfOpening(dataDir));
      disk.free();
    }
    expect([...codes].toSorted()).toEqual(['SQLITE_FULL', 'opened']);
  });

  it('keeps its log small where little room is left: of 24 MB the log took all for what takes one, and nothing more could be written', async (context) => {
    const { disk, folder } = givenSmallDisk(context);
    disk.fill(24_000_000);
    using mirror = await openMirror({ dataDir: join(folder, 'data'), clock: manualClock(Date.UTC(2025, 0, 1)) });
    const { driver } = mirror.store;
    driver.exec('create table edited (id integer primary key, text text)');
    const edit = driver.prepare('insert or replace into edited values (1, ?)');
    for (let round = 0; round < 40; round++) edit.run(String(round).repeat(500_000));
    expect(driver.prepare('select length(text) from edited').pluck().get()).toBe(1_000_000);
    expect(statSync(join(folder, 'data/mirror.db-wal')).size).toBeLessThan(8_000_000);
  });
});
