// How long whoever answered 429 is left alone. Times are monotonic milliseconds.
import type { Random } from '../base/index.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_GUESSED_PAUSE_MS = 60_000;

export class Pauses {
  readonly #random: Random;
  readonly #maxWaitMs: number;
  #notBefore = Number.NEGATIVE_INFINITY;
  #inRow = 0;

  constructor(random: Random, maxWaitMs: number) {
    this.#random = random;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Nothing is to be asked before. */
  get notBefore(): number {
    return this.#notBefore;
  }

  /** Anything but 429. */
  answered(): void {
    this.#inRow = 0;
  }

  /** `ms`: what it asks for; null: it did not say. Returns the whole milliseconds until it may be asked. */
  refused(ms: number | null, now: number): number {
    // Requests that were under way together are refused together; that is one refusal.
    if (now >= this.#notBefore) this.#inRow++;
    const wait = ms === null ? this.#guessed(this.#inRow) : Math.max(ms, this.#least());
    this.#notBefore = Math.max(this.#notBefore, now + wait);
    // A sum of fractions is a hair more than its parts now and then, and a bound would be passed by it.
    return Math.round(this.#notBefore - now);
  }

  // What was asked for is believed once. "0" is also what a wait of less than a second is rounded to, and a date has whole seconds.
  #least(): number {
    return this.#inRow < 2 ? 0 : Math.min(this.#guessed(this.#inRow - 1), this.#maxWaitMs);
  }

  #guessed(inRow: number): number {
    const ceiling = Math.min(FIRST_PAUSE_MS * 2 ** (inRow - 1), LONGEST_GUESSED_PAUSE_MS);
    return ceiling * (0.5 + this.#random.next() / 2);
  }
}
