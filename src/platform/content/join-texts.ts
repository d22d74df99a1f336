import type { PlatformContext } from '../context.ts';
import { insertDocument, readDocument } from '../store/revisions.ts';
import { mergeTrees, type Merged } from './merge.ts';
import type { Tree } from './tree.ts';
import { isoTime } from '../../base/index.ts';

/** Stands between the version that a merge kept and the one it displaced. */
const CONFLICT_MARKER = '> **Merge conflict:** the text below is the other version of it.';

/** Merges three stored trees; texts that contradict each other become one with both, below a visible marker. */
export function mergeStored(context: PlatformContext, trees: { base: Tree; into: Tree; from: Tree }): Merged {
  return mergeTrees({
    ...trees,
    now: isoTime(context.clock.now()),
    newId: () => context.random.id(),
    joinTexts: (kept, displaced) => {
      const [own, other] = [readDocument(context, kept).trim(), readDocument(context, displaced).trim()];
      // Each was written on its own, in the same words: nothing contradicts.
      if (own === other) return kept;
      return insertDocument(context, [own, CONFLICT_MARKER, other].join('\n\n'));
    },
  });
}
