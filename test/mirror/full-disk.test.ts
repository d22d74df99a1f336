import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { manualClock } from '../../src/base/index.ts';
import { openMirror } from '../../src/mirror/index.ts';
import { mountSmallDisk, type SmallDisk } from '../chaos/small-disk.ts';

/** Skips the test where none may be mounted, as everybody but root. */
function smallDisk({ skip }: TestContext): { disk: SmallDisk; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'docmirror-disk-'));
  const disk = mountSmallDisk(folder);
  onTestFinished(() => {
    disk?.[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  return { disk: disk ?? skip('a file system may not be mounted here'), folder };
}

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
    const { disk, folder } = smallDisk(context);
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
});
