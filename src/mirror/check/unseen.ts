// Of a database that is damaged, not all can be looked at: what could not is named, and the rest is checked all the same.
import { toAppError, type Pieces } from '../../base/index.ts';

/** True for what a page that is none any more leads to. */
export function isDamage(error: unknown): boolean {
  return toAppError(error).code === 'DM_DATABASE_DAMAGED';
}

/** What could not be looked at to its end, each once. */
export class Unseen {
  readonly #names = new Set<string>();

  get names(): string[] {
    return [...this.#names];
  }

  /** Null where the database is damaged there. */
  orNull<T>(name: string, look: () => T): T | null {
    try {
      return look();
    } catch (error) {
      return this.#noted(name, error);
    }
  }

  *piecesOrNull<T>(name: string, look: Pieces<T>): Pieces<T | null> {
    try {
      return yield* look;
    } catch (error) {
      return this.#noted(name, error);
    }
  }

  #noted(name: string, error: unknown): null {
    if (!isDamage(error)) throw error;
    this.#names.add(name);
    return null;
  }
}
