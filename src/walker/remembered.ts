// What a run remembers beside the mirror follows the mirror: what was noted in a transaction that is undone is taken back with it.

/** What takes back what was noted since a transaction began, in the order in which that was noted. */
export type Undo = (() => void)[];

/** A set each of whose changes notes how it is taken back. */
export class NotedSet<T> extends Set<T> {
  readonly #undo: Undo;

  constructor(undo: Undo, values: Iterable<T> = []) {
    super();
    this.#undo = undo;
    for (const value of values) super.add(value);
  }

  override add(value: T): this {
    if (!this.has(value)) this.#undo.push(() => super.delete(value));
    return super.add(value);
  }

  override delete(value: T): boolean {
    const was = super.delete(value);
    if (was) this.#undo.push(() => super.add(value));
    return was;
  }
}
