// Pages that an undo leaves as they are, because they were edited after the restore.
import type { Resource } from '../../mirror/index.ts';
import type { Planning } from '../plan/step-list.ts';
import type { Divergence } from './divergence.ts';
import { placeOf } from './page-mends.ts';

/** What is left to mend without them; each is said. */
export function leavePages(
  { list }: Planning,
  divergence: Divergence,
  keeps: (resource: Resource) => string | null,
): Divergence {
  const { missing, changed, added } = divergence;
  const whyLeft = (one: Resource): string | null => (one.kind === 'page' ? keeps(one) : null);
  const isLeft = (one: Resource): boolean => whyLeft(one) !== null;
  const places = new Set(added.filter(isLeft).map(placeOf));
  // An import would write over what stands where it puts a page.
  const isTaken = (one: Resource): boolean => one.kind === 'page' && places.has(placeOf(one));
  for (const one of [...changed.map(({ live }) => live), ...added]) {
    const note = whyLeft(one);
    if (note !== null) list.addIdle('unsupported', one, { note });
  }
  for (const one of missing)
    if (isTaken(one))
      list.addIdle('unsupported', one, {
        note: 'a page that was changed after the restore, and is left as it is, stands in its place',
      });
  return {
    ...divergence,
    missing: missing.filter((one) => !isTaken(one)),
    changed: changed.filter(({ live }) => !isLeft(live)),
    added: added.filter((one) => !isLeft(one)),
  };
}
