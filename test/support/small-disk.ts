// A disk of a few megabytes for one test.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';
import { mountSmallDisk, type SmallDisk } from '../chaos/small-disk.ts';

/** Mounts it, and takes it away after the test. Skips the test where none may be mounted, as by everybody but root. */
export function givenSmallDisk({ skip }: TestContext): { disk: SmallDisk; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'docmirror-disk-'));
  const disk = mountSmallDisk(folder);
  onTestFinished(() => {
    disk?.[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  return { disk: disk ?? skip('a file system may not be mounted here'), folder };
}
