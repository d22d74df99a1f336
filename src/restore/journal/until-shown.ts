// A platform of several machines goes on to show for some seconds what stood there before a write. The run that made it knows that;
// another one, which goes on with a restore that was cut off or takes it back, looks for what it left.
import type { Clock } from '../../base/index.ts';
import { SHOWN_WITHIN_MS } from '../../client/index.ts';
import { restoreById, stepsOf, type Mirror } from '../../mirror/index.ts';
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
export async function untilShown({ mirror, clock, signal }: Waiting, restore: string): Promise<void> {
  const steps = stepsOf(mirror, restore).filter((step) => !wroteNothing(step));
  const isCutOff = restoreById(mirror, restore).state === 'running' || steps.some(({ state }) => state !== 'done');
  if (!isCutOff || steps.length === 0) return;
  const last = Math.max(...steps.map(({ at }) => Date.parse(at)));
  const left = last + SHOWN_WITHIN_MS - clock.now();
  // A clock that was set back must not make anybody wait for longer.
  if (left > 0) await clock.sleep(Math.min(left, SHOWN_WITHIN_MS), signal);
}
