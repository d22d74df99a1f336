// How the mirror and its disk stand, for whoever must be told.
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { toAppError } from '../../base/index.ts';
import type { Seen } from '../../daemon/index.ts';
import { listShrunk, mirrorIfThere } from '../../mirror/index.ts';
import type { DiskSpace } from '../../status/index.ts';
import type { Kit } from '../kit.ts';
import { statusOf } from './status-now.ts';

/** What is seen of the mirror; of the jobs and the disk others know. */
type Standing = Pick<Seen, 'status' | 'shrunk' | 'now'>;

/** A mirror that cannot be read is when somebody must be told most: the jobs that failed for it are. */
export function standingOf(kit: Kit): Standing {
  try {
    return seenIn(kit);
  } catch (error) {
    kit.log.warn({ err: toAppError(error) }, 'could not look how the mirror stands');
    return { status: null, shrunk: 0, now: kit.clock.now() };
  }
}

function seenIn(kit: Kit): Standing {
  const { config, clock } = kit;
  using mirror = mirrorIfThere({ dataDir: config.dataDir, clock });
  const status = statusOf(kit, mirror);
  return { status, shrunk: mirror === null ? 0 : listShrunk(mirror).length, now: clock.now() };
}

/** Null while there is no such folder. */
export async function diskSpace(folder: string): Promise<DiskSpace | null> {
  if (!existsSync(folder)) return null;
  const { bavail, blocks, bsize, ffree, files } = await statfs(folder);
  const space = { free: bavail * bsize, size: blocks * bsize };
  return files === 0 ? space : { ...space, files: { free: ffree, size: files } };
}
