/** A list that makes each item when it is come to, and anew each time: it is never held whole. As JSON it is an array. */
export abstract class LazyList implements Iterable<unknown> {
  abstract [Symbol.iterator](): Iterator<unknown>;

  /** As an array, where all of it is wanted after all. */
  toJSON(): unknown[] {
    return [...this];
  }
}
