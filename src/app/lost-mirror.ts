import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../base/index.ts';
import { isExport } from '../export/index.ts';
import { databasePath } from '../mirror/index.ts';
import { contentFolder } from './places.ts';
import type { Kit } from './kit.ts';

/**
 * Throws DM_DATABASE_DAMAGED where the database is gone or empty and what belongs to it is there: a walk would begin a new mirror at
 * snapshot 1 and say that all is well, and `prune` would delete the files that only the lost one knew.
 */
export async function refuseLostMirror({ config }: Kit): Promise<void> {
  const path = databasePath(config.dataDir);
  if (existsSync(path) && statSync(path).size > 0) return;
  const objects = join(config.dataDir, 'objects');
  const content = contentFolder(config);
  // Folders that somebody made for them, such as places to mount a disk at, tell of no mirror.
  const left = [
    ...(existsSync(objects) && readdirSync(objects).length > 0 ? [objects] : []),
    ...((await isExport(content)) ? [content] : []),
  ];
  if (left.length === 0) return;
  const state = existsSync(path) ? 'is empty' : 'is missing';
  throw new AppError('DM_DATABASE_DAMAGED', `${path} ${state}, while there is still ${left.join(' and ')}`, {
    hint: 'Remove mirror.db-wal and mirror.db-shm where they are left, since they are of the database that is gone, and put back a copy of mirror.db. To begin a new mirror without the history, move the whole data directory away first.',
  });
}
