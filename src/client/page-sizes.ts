// How many items a platform gives at once, where that is less than it is asked for.

const USUAL_MOST = 100;

/** What one client has seen of it: a platform that refuses pages of a size refuses them in every listing. */
export class PageSizes {
  #most = Infinity;

  /** At most as large as the platform was seen to take. */
  within(size: number): number {
    return Math.min(size, this.#most);
  }

  /** A page of this size came where larger ones had been refused. */
  took(size: number): void {
    this.#most = Math.min(this.#most, size);
  }

  /** About half; null where there is nothing smaller. */
  smallerThan(size: number | undefined): number | null {
    if (size === undefined || size <= 1) return null;
    const half = Math.floor(size / 2);
    return this.within(half > USUAL_MOST && half < 2 * USUAL_MOST ? USUAL_MOST : half);
  }
}
