import { listDrift, mirrorIfThere, type Drift } from '../mirror/index.ts';
import type { Kit } from './kit.ts';

/** What the platform was seen to send beyond the contract; none without a mirror. */
export function driftOf({ config, clock }: Kit): Drift[] {
  using mirror = mirrorIfThere({ dataDir: config.dataDir, clock });
  return mirror === null ? [] : listDrift(mirror);
}
