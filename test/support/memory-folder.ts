// The tests make thousands of databases, and each waits for the disk several times; what they prove is the same in memory.
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const SHARED_MEMORY = '/dev/shm';
// A whole run needs less than a tenth of it; a container has 64 MiB, which a single large mirror fills.
const ROOM_NEEDED = 4 * 1024 ** 3;

/** Gives the whole run a folder in memory for what is temporary, where there is room and nobody has named another place. */
export function setup(): (() => void) | undefined {
  if (process.env['TMPDIR'] !== undefined || !hasRoom()) return undefined;
  const folder = mkdtempSync(join(SHARED_MEMORY, 'docmirror-tests-'));
  // As open as the usual place: a test looks at what another user may see.
  chmodSync(folder, 0o755);
  process.env['TMPDIR'] = folder;
  // Also what a test that was cut off left: memory, unlike a disk, is missed at once.
  return () => rmSync(folder, { recursive: true, force: true });
}

function hasRoom(): boolean {
  try {
    accessSync(SHARED_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    // The folder may be larger than what is left of the memory, or than what a container may use of it.
    return Math.min(bavail * bsize, process.availableMemory()) >= ROOM_NEEDED;
  } catch {
    return false;
  }
}
