// How long walks take: some time whatever they ask, and some for each request. Walks of the past tell both.

/** A walk of the past. */
export interface WalkTime {
  readonly requests: number;
  readonly duration_ms: number;
}

interface Line {
  readonly fixedMs: number;
  readonly msPerRequest: number;
}

const NIGHTS = 5;

/**
 * Time of a walk of so many requests in ms, after those of the past in their order; null when none tells. `mostPerSecond` is what the
 * configuration allows, null for what the platform allows.
 */
export function walkTime(requests: number, past: readonly WalkTime[], mostPerSecond: number | null): number | null {
  const least = mostPerSecond === null ? null : (requests / mostPerSecond) * 1000;
  const line = lineThrough(tellingOf(past));
  if (line === null) return least === null ? null : Math.round(least);
  return Math.round(Math.max(line.fixedMs + line.msPerRequest * requests, least ?? 0));
}

/** The last nights, and the largest walk of all: nights alone are too much alike to tell what a request costs. */
function tellingOf(past: readonly WalkTime[]): WalkTime[] {
  const telling = past.filter((one) => one.requests > 0 && one.duration_ms > 0);
  const largest = telling.reduce<WalkTime | null>(
    (most, one) => (one.requests >= (most?.requests ?? 0) ? one : most),
    null,
  );
  return [...new Set([...telling.slice(-NIGHTS), ...(largest === null ? [] : [largest])])];
}

/** The line whose errors are the smallest shares of what each walk took; no part of it is below zero. */
function lineThrough(walks: readonly WalkTime[]): Line | null {
  if (walks.length === 0) return null;
  const sum = (of: (walk: WalkTime) => number): number =>
    walks.reduce((total, walk) => total + of(walk) / walk.duration_ms ** 2, 0);
  const [all, r, rr] = [sum(() => 1), sum((walk) => walk.requests), sum((walk) => walk.requests ** 2)];
  const [t, rt] = [sum((walk) => walk.duration_ms), sum((walk) => walk.requests * walk.duration_ms)];
  const throughZero = { fixedMs: 0, msPerRequest: rt / rr };
  const spread = all * rr - r * r;
  // Walks of one size do not tell the one part from the other.
  if (spread <= all * rr * 1e-9) return throughZero;
  const msPerRequest = (all * rt - r * t) / spread;
  const fixedMs = (t - msPerRequest * r) / all;
  if (fixedMs < 0) return throughZero;
  return msPerRequest < 0 ? { fixedMs: t / all, msPerRequest: 0 } : { fixedMs, msPerRequest };
}
