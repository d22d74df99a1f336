import type { Clock } from '../../base/index.ts';

/** The budget of one window, as the headers of every response tell it. */
export interface RateState {
  allowed: boolean;
  headers: Record<string, string>;
}

export interface RateLimit {
  /** Counts one request. */
  take(): RateState;
}

const OPEN_LIMIT = 1_000_000;
const OPEN_WINDOW_SECONDS = 60;

/**
 * Fixed windows that begin on whole seconds of UTC: `rate` requests in each second, or one in 1/rate seconds below one; without a
 * rate a million per minute. A refused request costs nothing.
 */
export function createRateLimit(clock: Clock, rate: number | undefined): RateLimit {
  const seconds = rate === undefined ? OPEN_WINDOW_SECONDS : Math.max(1, Math.ceil(1 / rate));
  const limit = rate === undefined ? OPEN_LIMIT : Math.max(1, Math.floor(rate * seconds));
  let window = 0;
  let used = 0;
  return {
    take: () => {
      const current = Math.floor(clock.now() / 1000 / seconds);
      if (current !== window) {
        window = current;
        used = 0;
      }
      const allowed = used < limit;
      if (allowed) used++;
      return { allowed, headers: headersOf(limit, limit - used, (current + 1) * seconds) };
    },
  };
}

function headersOf(limit: number, remaining: number, reset: number): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(reset),
  };
}
