import { afterAwake } from './awake.ts';
import { aborted, type Clock } from './clock.ts';

/** Why something was given up, as people are told. */
export const NO_ANSWER_IN_TIME = 'no answer in time';

interface Bounds {
  readonly clock: Clock;
  readonly ms: number;
  readonly signal: AbortSignal;
}

/**
 * What the work gives. Rejects with a TimeoutError when that takes longer, and with the reason of the signal as soon as it aborts:
 * the work is handed a signal for both, and not waited for where it listens to none, as undici does not while it connects.
 */
export async function withTimeout<T>(
  { clock, ms, signal }: Bounds,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  using _timeout = afterAwake(clock, ms, () => late.abort(new DOMException(NO_ANSWER_IN_TIME, 'TimeoutError')));
  const either = AbortSignal.any([signal, late.signal]);
  const enough = new AbortController();
  try {
    return await Promise.race([work(either), rejectedBy(either, enough.signal)]);
  } finally {
    enough.abort();
  }
}

async function rejectedBy(signal: AbortSignal, enough: AbortSignal): Promise<never> {
  await aborted(signal, enough);
  throw signal.reason;
}
