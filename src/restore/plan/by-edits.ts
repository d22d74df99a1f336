// What content costs where the target turns out to have no import: nobody knows before the first one is refused.
import { MOST_CHANGES, MOST_INSERTED_FILES } from '../../contract/index.ts';

/** Looking for the change request of an earlier try by each status, making it, merging it, and reading what came of it. */
export const OWN_REQUEST = 6;
// It is read before anything is inserted, once for files and once for pages.
const READS = 2;

interface Insertion {
  /** The page above each, by id. */
  readonly parents: ReadonlyMap<string, string | null>;
  readonly files: number;
}

/** Requests that insert pages and files: each batch is read again, since pages are inserted below those that have their ids. */
export function insertRequests({ parents, files }: Insertion): number {
  const levels = new Map<number, number>();
  const depths = new Map<string, number>();
  const depthOf = (id: string): number => {
    const known = depths.get(id);
    if (known !== undefined) return known;
    // Pages may be said to stand below each other.
    depths.set(id, 0);
    const parent = parents.get(id) ?? null;
    const depth = parent === null || !parents.has(parent) ? 0 : depthOf(parent) + 1;
    depths.set(id, depth);
    return depth;
  };
  for (const id of parents.keys()) levels.set(depthOf(id), (levels.get(depthOf(id)) ?? 0) + 1);
  const batches = [...levels.values()].reduce((sum, pages) => sum + Math.ceil(pages / MOST_CHANGES), 0);
  return READS + 2 * (batches + Math.ceil(files / MOST_INSERTED_FILES)) + rewriteRequests(parents.size);
}

/** Requests that write texts once more, whose links lead to what has got its id since. */
export function rewriteRequests(pages: number): number {
  return Math.ceil(pages / MOST_CHANGES);
}
