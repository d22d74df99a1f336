import type { Difference } from '../mirror/index.ts';

/** A revision moves with what it holds, and a document tree with its text: neither is news of its own. */
export function movesWithOthers({ kind }: Difference): boolean {
  return /revision$|-document$/.test(kind);
}
