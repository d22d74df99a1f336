// What the mirror says of when something was done last.
import { mirrorIfThere, type Mirror } from '../../mirror/index.ts';
import type { Kit } from '../kit.ts';

/** Null also while there is no mirror. */
export function lastOf({ config, clock }: Kit, find: (mirror: Mirror) => number | null): number | null {
  using mirror = mirrorIfThere({ dataDir: config.dataDir, clock });
  return mirror && find(mirror);
}

/** Milliseconds since the epoch. */
export function timeOf(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Date.parse(text);
}
