// A file system of a few megabytes in memory, which can be filled up. Only root may mount one.
import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SmallDisk extends Disposable {
  /** Leaves next to no room, or so many bytes. */
  fill(left?: number): void;
  free(): void;
  /** Lets it hold so many more files; as many as one likes when null. */
  limitFiles(more: number | null): void;
}

const SIZE = '48m';
const LEFT_BYTES = 100_000;

/** Mounts it at a folder; null where that is not allowed. */
export function mountSmallDisk(folder: string): SmallDisk | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=700`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  const filler = join(folder, 'filler');
  const free = (): void => rmSync(filler, { force: true });
  return {
    fill: (left = LEFT_BYTES) => {
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - left)));
    },
    free,
    limitFiles: (more) => {
      const { files, ffree } = statfsSync(folder);
      const limit = more === null ? 100_000 : files - ffree + more;
      execFileSync('mount', ['-o', `remount,nr_inodes=${limit}`, folder], { stdio: 'ignore' });
    },
    [Symbol.dispose]: () => {
      execFileSync('umount', [folder], { stdio: 'ignore' });
    },
  };
}
