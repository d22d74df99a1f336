// What stands in a space that an import filled and is of no page of the snapshot: a page that the platform begins each space with, or what
// it added once more where an import was sent again.
import { PAGES_AT_ONCE } from '../../mirror/index.ts';
import { titleOf } from '../resource.ts';
import type { Sides } from './sides.ts';

interface Beyond {
  /** Of the target. */
  readonly key: string;
  /** What a person is told of it. */
  readonly got: string;
}

/** Pages that a restore into a new space has left there beside those of the snapshot; null now and then, where others may have their turn. */
export function* beyondSnapshot({ plan, restored, ids }: Sides): IterableIterator<Beyond | null> {
  if (plan.review) return;
  const own = new Set(ids.idsOf('page'));
  let looked = 0;
  for (const { kind, part, key } of plan.steps) {
    const space = kind === 'revision' && part === 'content' ? ids.get('space', key) : undefined;
    if (space === undefined) continue;
    for (const page of restored.outline('page', space)) {
      if (++looked % PAGES_AT_ONCE === 0) yield null;
      if (page.holds && !own.has(page.id))
        yield { key: page.key, got: `${titleOf(page)}, which the snapshot does not have` };
    }
  }
}
