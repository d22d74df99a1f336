import type { Clock } from '../../base/index.ts';

/** The budget of one window, as the headers of every response tell it. */
export interface RateState {
  allowed: boolean;
  /** `date` is by the clock that the reset is given in. */
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
  const limitText = String(limit);
  let second = Number.NaN;
  let date = '';
  let window = Number.NaN;
  let reset = '';
  let used = 0;
  const turnTo = (now: number): void => {
    second = now;
    date = httpDate(now * 1000);
    const current = Math.floor(now / seconds);
    if (current === window) return;
    window = current;
    reset = String((current + 1) * seconds);
    used = 0;
  };
  return {
    take: () => {
      const now = Math.floor(clock.now() / 1000);
      if (now !== second) turnTo(now);
      const allowed = used < limit;
      if (allowed) used++;
      return {
        allowed,
        headers: {
          date,
          'x-ratelimit-limit': limitText,
          'x-ratelimit-remaining': String(limit - used),
          'x-ratelimit-reset': reset,
        },
      };
    },
  };
}

function httpDate(ms: number): string {
  return new Date(ms).toUTCString();
}
