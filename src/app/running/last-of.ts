// What the mirror says of when something was done last.
import { AppError } from '../../base/index.ts';
import { readMirror, type Mirror } from '../../mirror/index.ts';
import type { Kit } from '../kit.ts';

/** Null also while there is no mirror. */
export function lastOf({ config, clock }: Kit, find: (mirror: Mirror) => number | null): number | null {
  try {
    using mirror = readMirror({ dataDir: config.dataDir, clock });
    return find(mirror);
  } catch (error) {
    if (error instanceof AppError && error.code === 'DM_NO_SNAPSHOT') return null;
    throw error;
  }
}

/** Milliseconds since the epoch. */
export function timeOf(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Date.parse(text);
}
