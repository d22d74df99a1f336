// What a listing shows is held until it was read to its end: before that it says nothing of what is missing. The items of a long one
// wait as compressed JSON, a tenth of what they take as values, or less.
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { LazyList } from '../base/index.ts';
import type { Body } from './visits/parts.ts';

/** Items of a listing, in their order. */
export interface Items extends Iterable<Body> {
  readonly length: number;
}

const FAST = { level: constants.Z_BEST_SPEED };
// Fewer are held as they are. A portion is made anew in some milliseconds.
const PORTION = 1000;

/** Takes the items of a listing as they come. */
export class Gathered {
  readonly #portions: Buffer[] = [];
  #latest: Body[] = [];
  /** Of those in portions. */
  #length = 0;

  add(items: readonly Body[]): void {
    // What fills a portion may be all.
    if (this.#latest.length >= PORTION) this.#pack();
    this.#latest.push(...items);
  }

  /** All of them. None is added any more. */
  items(): Items {
    if (this.#portions.length === 0) return this.#latest;
    this.#pack();
    return new PackedItems(this.#portions, this.#length);
  }

  #pack(): void {
    this.#length += this.#latest.length;
    this.#portions.push(deflateRawSync(JSON.stringify(this.#latest), FAST));
    this.#latest = [];
  }
}

class PackedItems extends LazyList implements Items {
  readonly #portions: readonly Buffer[];
  readonly length: number;

  constructor(portions: readonly Buffer[], length: number) {
    super();
    this.#portions = portions;
    this.length = length;
  }

  *[Symbol.iterator](): Iterator<Body> {
    for (const portion of this.#portions) yield* JSON.parse(inflateRawSync(portion).toString()) as Body[];
  }
}
