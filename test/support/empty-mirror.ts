// An empty mirror for a test of something else: copied from one that was made once in this process. To make its tables, views and
// dictionary takes longer than a small walk, and thousands are needed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manualClock } from '../../src/base/index.ts';
import { openMirror, type Mirror, type MirrorOptions } from '../../src/mirror/index.ts';

const FILE = 'mirror.db';
const OWNER_ONLY = 0o600;
// Smaller than those of a new mirror: of the little that a test keeps, each transaction would write pages that are nearly empty, for a
// tenth of the time of a first walk. Mirrors of real processes have theirs.
const PAGE_SIZE = 8192;

let made: Promise<Buffer> | undefined;

/** Opens a mirror that nothing was written to, in a folder that has none. */
export async function emptyMirror(options: MirrorOptions): Promise<Mirror> {
  const bytes = await (made ??= make());
  writeFileSync(join(options.dataDir, FILE), bytes, { mode: OWNER_ONLY, flag: 'wx' });
  const mirror = await openMirror(options);
  // Each is another one, by the name that restores know it by.
  mirror.store.driver.exec(`update meta set value = lower(hex(randomblob(16))) where name = 'mirror'`);
  return mirror;
}

async function make(): Promise<Buffer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'docmirror-empty-'));
  try {
    const mirror = await openMirror({ dataDir, clock: manualClock() });
    // As if it had never been opened: writers are counted from the first one.
    mirror.store.driver.exec(`delete from meta where name = 'writer'`);
    mirror.store.driver.exec(
      `pragma journal_mode = delete; pragma page_size = ${PAGE_SIZE}; vacuum; pragma journal_mode = wal`,
    );
    mirror[Symbol.dispose]();
    return readFileSync(join(dataDir, FILE));
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
