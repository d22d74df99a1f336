// What the server's headers leave us, spread over the time to its next window.
import type { RateHeaders } from './rate-headers.ts';

export interface Allowance {
  /** 0: nothing until `resetAt`. */
  readonly perSecond: number;
  /** Monotonic milliseconds; null when the window that was told about is over. */
  readonly resetAt: number | null;
}

// Of what remains after others have eaten into the part that is left to them, so that we slow down and do not stop.
const TRICKLE = 0.1;
const SHORTEST_SPREAD_MS = 50;
const SHORTEST_WINDOW_MS = 1000;
// After the reset, where nothing says how large the whole is: what was left so far is no measure of it, and the next answer tells.
const UNTOLD_PER_SECOND = 1;

/** The newest word of the server about its limit. */
export class ServerBudget {
  readonly #share: number;
  #perSecond: number | null = null;
  #resetAt = 0;
  #limit = 0;
  #isLimitTold = false;
  #windowMs = SHORTEST_WINDOW_MS;

  /** `share`: the part of the server's limit that is ours, above 0 up to 1. */
  constructor(share: number) {
    this.#share = share;
  }

  /** Takes in the headers of an answer; `inFlight` requests may not be counted in them yet. */
  observe(headers: RateHeaders, now: number, inFlight: number): void {
    const { remaining, resetInMs } = headers;
    this.#isLimitTold = (headers.limit ?? 0) > 0;
    this.#limit = headers.limit ?? Math.max(this.#limit, remaining);
    this.#windowMs = Math.max(this.#windowMs, resetInMs);
    this.#resetAt = now + resetInMs;
    const reserved = this.#limit * (1 - this.#share);
    const usable = Math.max(remaining - reserved, remaining * TRICKLE) - inFlight;
    const spread = (usable / Math.max(resetInMs, SHORTEST_SPREAD_MS)) * 1000;
    // Never a whole window's worth at once after a quiet spell, beyond what one second may take.
    this.#perSecond = Math.max(0, Math.min(spread, Math.max(1, this.#limit * this.#share)));
  }

  /** Null while the server has said nothing. */
  allowance(now: number): Allowance | null {
    if (this.#perSecond === null) return null;
    if (now < this.#resetAt) return { perSecond: this.#perSecond, resetAt: this.#resetAt };
    const fresh = ((this.#limit * this.#share) / this.#windowMs) * 1000;
    const least = this.#isLimitTold ? 1 / SHORTEST_WINDOW_MS : UNTOLD_PER_SECOND;
    return { perSecond: Math.max(fresh, least), resetAt: null };
  }
}
