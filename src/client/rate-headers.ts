// What a server says about its rate limit, in the headers of the public reference platform; Retry-After is that of RFC 9110.

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface RateHeaders {
  /** Requests per window; null when the server does not say. */
  readonly limit: number | null;
  /** Requests left in this window. */
  readonly remaining: number;
  /** Until the next window. */
  readonly resetInMs: number;
}

const DAY_MS = 86_400_000;
// Below it a reset cannot be an epoch in seconds, above it only one in milliseconds.
const SMALLEST_EPOCH_S = 100_000_000;
const SMALLEST_EPOCH_MS = 100_000_000_000;
// The Date header is cut to the second; within this span our clock and the server's agree as far as it can tell.
const DATE_SLACK_MS = 250;
// Every form of a date in HTTP has one; without it "-5" and "3, 3" would be read as days of 2001.
const TIME_OF_DAY = /\d:\d\d/;

/** The first value of a header; null when it is not there. */
export function headerOf(headers: ResponseHeaders, name: string): string | null {
  const value = headers[name];
  if (value === undefined) return null;
  return typeof value === 'string' ? value : (value[0] ?? null);
}

/** The three rate headers; null unless there are Remaining and a Reset that makes sense. `now` is milliseconds since the epoch. */
export function readRateHeaders(headers: ResponseHeaders, now: number): RateHeaders | null {
  const remaining = countOf(headers, 'x-ratelimit-remaining');
  if (remaining === null) return null;
  const resetInMs = readReset(headers, now);
  if (resetInMs === null) return null;
  return { limit: countOf(headers, 'x-ratelimit-limit'), remaining, resetInMs };
}

/** How long a 429 or 503 asks to wait: Retry-After in seconds or as a date, else the reset; null when it does not say. */
export function requestedWaitMs(headers: ResponseHeaders, now: number): number | null {
  const asked = headerOf(headers, 'retry-after')?.trim();
  if (asked) {
    if (/^\d+(\.\d+)?$/.test(asked)) return Number(asked) * 1000;
    const date = TIME_OF_DAY.test(asked) ? Date.parse(asked) : Number.NaN;
    if (!Number.isNaN(date)) return Math.max(0, date - serverNow(headers, now));
  }
  return readReset(headers, now);
}

function countOf(headers: ResponseHeaders, name: string): number | null {
  const text = headerOf(headers, name);
  if (text === null || text.trim() === '') return null;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : null;
}

function readReset(headers: ResponseHeaders, now: number): number | null {
  const value = countOf(headers, 'x-ratelimit-reset');
  if (value === null) return null;
  const inMs = value < SMALLEST_EPOCH_S ? value * 1000 : resetEpochMs(value) - serverNow(headers, now);
  return inMs < -DAY_MS || inMs > DAY_MS ? null : Math.max(0, inMs);
}

function resetEpochMs(value: number): number {
  return value < SMALLEST_EPOCH_MS ? value * 1000 : value;
}

// A machine whose clock is wrong must not wait for hours, nor not at all.
function serverNow(headers: ResponseHeaders, now: number): number {
  const text = headerOf(headers, 'date');
  const date = text === null ? Number.NaN : Date.parse(text);
  const agrees = now >= date - DATE_SLACK_MS && now <= date + 1000 + DATE_SLACK_MS;
  return Number.isNaN(date) || agrees ? now : date;
}
