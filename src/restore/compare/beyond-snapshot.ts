// What stands in a space that was made and is of no page of the snapshot: a page that the platform begins each space with, or what
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
  const made = plan.steps.filter(({ kind, part }) => isNewSpace(kind, part));
  for (const key of new Set(made.map((step) => step.key))) {
    const space = ids.get('space', key);
    if (space === undefined) continue;
    for (const page of restored.outline('page', space)) {
      if (++looked % PAGES_AT_ONCE === 0) yield null;
      if (page.holds && !own.has(page.id))
        yield { key: page.key, got: `${titleOf(page)}, which the snapshot does not have` };
    }
  }
}

/** Of a space that was empty nothing is imported. */
function isNewSpace(kind: string, part: string): boolean {
  return (kind === 'revision' && part === 'content') || (kind === 'space' && part === 'create');
}
