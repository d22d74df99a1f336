import { existsSync } from 'node:fs';
import { databasePath, listDrift, readMirror, type Drift } from '../mirror/index.ts';
import type { Kit } from './kit.ts';

/** What the platform was seen to send beyond the contract; none without a mirror. */
export function driftOf({ config, clock }: Kit): Drift[] {
  if (!existsSync(databasePath(config.dataDir))) return [];
  using mirror = readMirror({ dataDir: config.dataDir, clock });
  return listDrift(mirror);
}
