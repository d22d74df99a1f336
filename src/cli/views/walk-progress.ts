import type { Clock } from '../../base/index.ts';
import type { WalkProgress } from '../../walker/index.ts';
import type { Progress } from './progress.ts';
import { bytes, thousands } from './units.ts';

/** Shows how far a walk is: visits made and waiting, requests and their rate. */
export function showWalk(progress: Progress, clock: Clock): (walk: WalkProgress) => void {
  const start = clock.monotonic();
  return ({ visited, waiting, requests, bytes: received }) => {
    const seconds = Math.max(0.001, (clock.monotonic() - start) / 1000);
    const rate = Math.round(requests / seconds);
    progress.update(visited, visited + waiting, `${thousands(requests)} requests, ${rate}/s, ${bytes(received)}`);
  };
}
