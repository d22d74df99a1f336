// A whole list, of which a page is shown.
import type { Pieces } from '../base/index.ts';
import type { Body } from './show.ts';

/** Items are only made when they are shown; further members of the envelope stand in `beside`. */
export class List {
  readonly length: number;
  readonly beside: Body;
  readonly #item: (index: number) => unknown;
  readonly #isCostly: boolean;

  /** `isCostly`: of items that are made of whole texts, each takes a piece of its own. */
  constructor(length: number, item: (index: number) => unknown, more: { beside?: Body; isCostly?: boolean } = {}) {
    this.length = length;
    this.beside = more.beside ?? {};
    this.#item = item;
    this.#isCostly = more.isCostly ?? false;
  }

  static of(items: readonly unknown[], beside: Body = {}): List {
    return new List(items.length, (index) => items[index], { beside });
  }

  *itemsFrom(from: number, to: number): Pieces<unknown[]> {
    const items: unknown[] = [];
    for (let index = from; index < Math.min(to, this.length); index++) {
      items.push(this.#item(index));
      if (this.#isCostly) yield;
    }
    return items;
  }
}
