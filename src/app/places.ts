// Where things lie in the data directory.
import { join } from 'node:path';
import type { Config } from '../config/index.ts';
import { RESTORES_FOLDER } from '../mirror/index.ts';

/** The readable tree of the last complete snapshot. */
export function contentFolder({ dataDir }: Config): string {
  return join(dataDir, 'content');
}

/** Work of restores and drills. */
export function restoresFolder({ dataDir }: Config): string {
  return join(dataDir, RESTORES_FOLDER);
}

/** In the data directory: nobody else puts anything there. */
export const OWN_FOLDERS: readonly string[] = ['objects', RESTORES_FOLDER, 'platform'];

/** The demonstration's platform. */
export function platformFolder({ dataDir }: Config): string {
  return join(dataDir, 'platform');
}

/** What the daemon writes the report to. */
export function reportFile({ dataDir, report }: Config): string {
  return report.path ?? join(dataDir, 'report.html');
}

/** What the daemon remembers beside the mirror. */
export function memoryFile({ dataDir }: Config): string {
  return join(dataDir, 'daemon.json');
}
