// What stands in a space that an import filled and is of no page of the snapshot: a page that the platform begins each space with, or what
// it added once more where an import was sent again.
import { titleOf } from '../resource.ts';
import type { Sides } from './sides.ts';

interface Beyond {
  /** Of the target. */
  readonly key: string;
  readonly title: string;
}

/** Pages that a restore into a new space has left there beside those of the snapshot. */
export function* beyondSnapshot({ plan, restored, ids }: Sides): IterableIterator<Beyond> {
  if (plan.review) return;
  const own = new Set(ids.idsOf('page'));
  for (const { kind, part, key } of plan.steps) {
    const space = kind === 'revision' && part === 'content' ? ids.get('space', key) : undefined;
    if (space === undefined) continue;
    for (const page of restored.outline('page', space))
      if (page.holds && !own.has(page.id)) yield { key: page.key, title: titleOf(page) };
  }
}
