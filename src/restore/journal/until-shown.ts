// A platform of several machines goes on to show for some seconds what stood there before a write. The run that made it knows that;
// another one, which goes on with a restore that was cut off or takes it back, looks for what it left.
import { largestOf, type Clock } from '../../base/index.ts';
import { SHOWN_WITHIN_MS } from '../../client/index.ts';
import { restoreById, stepsOf, type Mirror, type RestoreStep } from '../../mirror/index.ts';
import { wroteNothing } from './step-journal.ts';

interface Waiting {
  /** Holds the journal. */
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits until what a restore that did not come to its end has written last is shown, or would be; not at all where that was so long ago, and
 * six seconds at most.
 */
export async function untilShown(waiting: Waiting, restore: string): Promise<void> {
  const steps = stepsOf(waiting.mirror, restore);
  const isCutOff =
    restoreById(waiting.mirror, restore).state === 'running' ||
    steps.some((step) => step.state !== 'done' && !wroteNothing(step));
  if (!isCutOff) return;
  const shownAt = shownFrom(steps);
  if (shownAt !== null) await sleepUntil(waiting, shownAt);
}

/** From when on all that a restore has written is shown, in milliseconds since 1970; null where it has written nothing. */
export function shownFrom(journal: readonly RestoreStep[]): number | null {
  const written = journal.filter((step) => !wroteNothing(step));
  if (written.length === 0) return null;
  return largestOf(written.map(({ at }) => Date.parse(at))) + SHOWN_WITHIN_MS;
}

/** A clock that was set back must not make anybody wait for longer. */
export async function sleepUntil({ clock, signal }: Omit<Waiting, 'mirror'>, shownAt: number): Promise<void> {
  const left = shownAt - clock.now();
  if (left > 0) await clock.sleep(Math.min(left, SHOWN_WITHIN_MS), signal);
}
