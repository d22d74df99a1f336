// Files that an import was given under another name than they have: the plan counts them.
import { renamedFiles } from '../../export/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';

/** Looks into each space once, when a file of it is first asked about. */
export class RenamedFiles {
  readonly #original: SnapshotReader;
  readonly #bySpace = new Map<string, ReadonlySet<string>>();

  constructor(original: SnapshotReader) {
    this.#original = original;
  }

  has({ id, params }: Resource): boolean {
    const space = params['spaceId'] ?? '';
    const known = this.#bySpace.get(space) ?? renamedFiles(this.#original, space);
    this.#bySpace.set(space, known);
    return known.has(id);
  }
}
