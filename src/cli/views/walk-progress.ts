import type { Clock } from '../../base/index.ts';
import type { WalkProgress } from '../../walker/index.ts';
import type { Progress } from './progress.ts';
import { bytes, thousands } from './units.ts';

/** Shows how far a walk is: visits made and waiting, requests and their rate. */
export function showWalk(progress: Progress, clock: Clock): (walk: WalkProgress) => void {
  const start = clock.monotonic();
  return ({ visited, waiting, ahead, requests, bytes: received }) => {
    const seconds = Math.max(0.001, (clock.monotonic() - start) / 1000);
    const rate = Math.round(requests / seconds);
    const known = visited + waiting;
    const total = ahead === null ? { atLeast: known } : ahead === 0 ? known : { about: known + ahead };
    progress.update(visited, total, `${thousands(requests)} requests, ${rate}/s, ${bytes(received)}`);
  };
}
