// Values that the API document does not have, as of a newer platform or one that was filled by other ways: the real one that gave them may
// take them back, another one may not.
import { bodyFields, createUnknowns, kindOf, type KindName } from '../contract/index.ts';
import type { Resource } from '../mirror/index.ts';
import type { Body } from './resource.ts';
import { withinLimits } from './within-limits.ts';

/** Looks for values that the API document does not list, or that are longer or shorter than it allows. */
export class UnknownValues {
  readonly #look = createUnknowns();

  /** The fields that hold one, so that none of them can be promised exactly. */
  fieldsOf({ kind, body }: Pick<Resource, 'kind' | 'body'>): string[] {
    const unlisted = this.#look(kind, body).flatMap(({ what, path }) => (what === 'value' ? [fieldAt(path)] : []));
    return [...new Set([...unlisted, ...beyondLimits(kind, body)])];
  }
}

/** What is made with less of a field may be set to all of it afterwards. */
function beyondLimits(kind: KindName, body: Body): string[] {
  const { create, update } = kindOf(kind);
  return Object.keys(body).filter((field) => {
    const operation = update !== undefined && field in bodyFields(update) ? update : create;
    return operation !== undefined && field in withinLimits(operation, body, [field]);
  });
}

/** The field of the object itself: `layout` of `layout.coverSize`, `features` of `features[].plan`. */
function fieldAt(path: string): string {
  return path.split(/[.[]/, 1)[0] ?? path;
}
