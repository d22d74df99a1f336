import type { Clock } from '../../base/index.ts';
import type { ApplyProgress } from '../../restore/index.ts';
import type { WalkProgress } from '../../walker/index.ts';
import type { Screen } from '../screen.ts';
import type { Progress } from './progress.ts';
import { takeTurns } from './progress-turns.ts';
import { showWalk } from './walk-progress.ts';

/** What the verbs of a restore tell of themselves; disposing takes the bar away. */
export interface RestoreProgress extends Disposable {
  readonly onProgress: (writing: ApplyProgress) => void;
  readonly onRead: (walk: WalkProgress) => void;
}

/**
 * Shows how far a restore is: its writes under a name of their own, and the walks of its target before, between and after them. They
 * take turns, so each begins a bar of its own, with its own pace.
 */
export function followRestore(screen: Pick<Screen, 'progress'>, label: string, clock: Clock): RestoreProgress {
  const turns = takeTurns(screen);
  let reading: { readonly progress: Progress; readonly show: (walk: WalkProgress) => void } | null = null;
  return {
    onProgress: ({ step, steps, title }) => turns.turnTo(label).update(step, steps, title),
    onRead: (walk) => {
      const progress = turns.turnTo('walk');
      if (reading?.progress !== progress) reading = { progress, show: showWalk(progress, clock) };
      reading.show(walk);
    },
    [Symbol.dispose]: () => turns[Symbol.dispose](),
  };
}
