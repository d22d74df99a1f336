import type { Clock } from '../../base/index.ts';
import type { ApplyProgress } from '../../restore/index.ts';
import type { WalkProgress } from '../../walker/index.ts';
import type { Screen } from '../screen.ts';
import type { Progress } from './progress.ts';
import { showWalk } from './walk-progress.ts';

/** What the verbs of a restore tell of themselves; disposing takes the bar away. */
export interface RestoreProgress extends Disposable {
  readonly onProgress: (writing: ApplyProgress) => void;
  readonly onRead: (walk: WalkProgress) => void;
}

interface Bar {
  readonly shows: 'writing' | 'reading';
  readonly progress: Progress;
}

/**
 * Shows how far a restore is: its writes under a name of their own, and the walks of its target before, between and after them. They
 * take turns, so each begins a bar of its own, with its own pace.
 */
export function followRestore(screen: Pick<Screen, 'progress'>, label: string, clock: Clock): RestoreProgress {
  let bar: Bar | null = null;
  let showReading: (walk: WalkProgress) => void;
  const turnTo = (shows: Bar['shows'], name: string): Progress => {
    if (bar?.shows === shows) return bar.progress;
    bar?.progress[Symbol.dispose]();
    bar = { shows, progress: screen.progress(name) };
    showReading = showWalk(bar.progress, clock);
    return bar.progress;
  };
  return {
    onProgress: ({ step, steps, title }) => turnTo('writing', label).update(step, steps, title),
    onRead: (walk) => {
      turnTo('reading', 'walk');
      showReading(walk);
    },
    [Symbol.dispose]: () => bar?.progress[Symbol.dispose](),
  };
}
