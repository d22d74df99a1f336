import type { Screen } from '../screen.ts';
import type { Progress } from './progress.ts';

/** Bars of a job whose parts come one after the other; one is shown at a time. Disposing takes it away. */
export interface ProgressTurns extends Disposable {
  /** The bar of a part: the one that is shown, else a new one in its place. */
  turnTo(part: string): Progress;
}

export function takeTurns(screen: Pick<Screen, 'progress'>): ProgressTurns {
  let shown: { readonly part: string; readonly progress: Progress } | null = null;
  return {
    turnTo: (part) => {
      if (shown?.part === part) return shown.progress;
      shown?.progress[Symbol.dispose]();
      shown = { part, progress: screen.progress(part) };
      return shown.progress;
    },
    [Symbol.dispose]: () => shown?.progress[Symbol.dispose](),
  };
}
