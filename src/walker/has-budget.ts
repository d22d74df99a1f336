import type { WalkSettings } from './types.ts';

/** True for a walk that may end before all is read. */
export function hasBudget({ maxRequests = null, maxDurationMs = null }: WalkSettings): boolean {
  return maxRequests !== null || maxDurationMs !== null;
}
