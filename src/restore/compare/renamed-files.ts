// Files that an import was given under another name than they have: the plan counts them.
import { renamedFiles } from '../../export/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { keyAbove } from '../resource.ts';

/** Looks into each space, and each change request, once: when a file of it is first asked about. */
export class RenamedFiles {
  readonly #original: SnapshotReader;
  readonly #known = new Map<string, ReadonlySet<string>>();

  constructor(original: SnapshotReader) {
    this.#original = original;
  }

  has({ kind, id, key }: Resource): boolean {
    if (kind !== 'file' && kind !== 'change-request-file') return false;
    const within = keyAbove(key);
    const known = this.#known.get(within) ?? renamedFiles(this.#original, within, kind);
    this.#known.set(within, known);
    return known.has(id);
  }
}
