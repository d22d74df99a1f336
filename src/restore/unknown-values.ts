// Values of a newer platform than the contract: the real one that gave them may take them back, another one may not.
import { createUnknowns } from '../contract/index.ts';
import type { Resource } from '../mirror/index.ts';

/** Looks for values that the API document does not list. */
export class UnknownValues {
  readonly #look = createUnknowns();

  /** The fields that hold one, so that none of them can be promised exactly. */
  fieldsOf({ kind, body }: Pick<Resource, 'kind' | 'body'>): string[] {
    const fields = this.#look(kind, body).flatMap(({ what, path }) => (what === 'value' ? [fieldAt(path)] : []));
    return [...new Set(fields)];
  }
}

/** The field of the object itself: `layout` of `layout.coverSize`, `features` of `features[].plan`. */
function fieldAt(path: string): string {
  return path.split(/[.[]/, 1)[0] ?? path;
}
