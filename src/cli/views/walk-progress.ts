import type { Clock } from '../../base/index.ts';
import type { ExportProgress } from '../../export/index.ts';
import type { WalkProgress } from '../../walker/index.ts';
import type { Screen } from '../screen.ts';
import { showExport } from './export.ts';
import { measurePace, type Progress } from './progress.ts';
import { takeTurns } from './progress-turns.ts';
import { bytes, rateWords, thousands } from './units.ts';

/** Shows how far a walk is: visits made and waiting, requests, and their rate once there is one. */
export function showWalk(progress: Progress, clock: Clock): (walk: WalkProgress) => void {
  const measure = measurePace(clock);
  return ({ visited, waiting, ahead, requests, bytes: received }) => {
    const made = measure(requests);
    const rate = made === null ? '' : ` ${rateWords(made.amount, made.ms)},`;
    const known = visited + waiting;
    const total = ahead === null ? { atLeast: known } : ahead === 0 ? known : { about: known + ahead };
    progress.update(visited, total, `${thousands(requests)} requests,${rate} ${bytes(received)}`);
  };
}

/** What a walk and the export after it tell of themselves; disposing takes the bar away. */
export interface SyncProgress extends Disposable {
  readonly onProgress: (walk: WalkProgress) => void;
  readonly onExport: (written: ExportProgress) => void;
}

/** Shows how far a walk is, and then its export, which in a large mirror takes as long as a quiet night. */
export function followSync(screen: Pick<Screen, 'progress'>, clock: Clock): SyncProgress {
  const turns = takeTurns(screen);
  return {
    onProgress: showWalk(turns.turnTo('walk'), clock),
    onExport: (written) => showExport(written, turns.turnTo('export')),
    [Symbol.dispose]: () => turns[Symbol.dispose](),
  };
}
