// A sliding log of the instants at which requests were started.

// Two starts that are a second apart here may arrive a little closer together at the server.
const GUARD_MS = 8;
// A second's worth is spread: no tenth of a second takes more than an eighth, which leaves room to catch up after a stall.
const PACE_MS = 100;
const PACE_PART = 0.125;
// Windows of more than one start are shorter than this, so older entries say nothing.
const KEEP_MS = 2_100;
const FIRST_CAPACITY = 64;
const MAX_CAPACITY = 2 ** 17;

/** Ring of start instants (milliseconds of a monotonic clock), growing to what a second holds. */
export class StartLog {
  #times = new Float64Array(FIRST_CAPACITY);
  /** Starts ever noted; the newest has number `#count - 1` and stands at that number modulo the capacity. */
  #count = 0;

  /** Notes a start; returns its number for `amend`. */
  push(now: number): number {
    if (this.#count >= this.#times.length && this.#mustGrow(now)) this.#grow();
    this.#times[this.#count % this.#times.length] = now;
    return this.#count++;
  }

  /** The start came later than noted: a connection had to be made first. */
  amend(number: number, now: number): void {
    if (this.#count - number <= this.#times.length) this.#times[number % this.#times.length] = now;
  }

  /** The newest start; -Infinity when there is none. */
  last(): number {
    return this.#ago(1);
  }

  /**
   * The earliest instant at which one more start keeps at most `perSecond` starts in every sliding second. A rate that is
   * no whole number is kept on average: 1.5 is at most 2 starts in 1,333 ms, 0.1 is one in 10 s.
   */
  nextStart(perSecond: number): number {
    if (perSecond >= MAX_CAPACITY) return Number.NEGATIVE_INFINITY;
    if (perSecond <= 0) return Number.POSITIVE_INFINITY;
    const count = Math.max(1, Math.ceil(perSecond - 1e-9));
    const cap = this.#ago(count) + (count / perSecond) * 1000 + GUARD_MS;
    const burst = Math.ceil(perSecond * PACE_PART);
    return burst < count ? Math.max(cap, this.#ago(burst) + PACE_MS) : cap;
  }

  #ago(starts: number): number {
    const number = this.#count - starts;
    if (number < 0 || starts > this.#times.length) return Number.NEGATIVE_INFINITY;
    return this.#times[number % this.#times.length] ?? Number.NEGATIVE_INFINITY;
  }

  #mustGrow(now: number): boolean {
    return this.#times.length < MAX_CAPACITY && this.#ago(this.#times.length) > now - KEEP_MS;
  }

  #grow(): void {
    const old = this.#times;
    this.#times = new Float64Array(old.length * 2);
    for (let number = this.#count - old.length; number < this.#count; number++) {
      this.#times[number % this.#times.length] = old[number % old.length] ?? 0;
    }
  }
}
