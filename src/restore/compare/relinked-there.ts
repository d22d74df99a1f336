// Pages that were written only for their links: these are to lead to what was made anew, and the rest of such a page is anybody's.
import { AppAddresses } from '../../export/index.ts';
import { turnedInPlace } from '../links/address-links.ts';
import { findRestored } from './find-restored.ts';
import type { InReview } from './in-review.ts';
import type { Sides } from './sides.ts';

interface Relinked {
  readonly key: string;
  readonly got: 'turned' | 'old' | 'missing';
}

/** By the plan, which names them. Those that it brings or sets back are compared whole. */
export function* relinkedThere(
  { plan, original, restored, ids, live }: Sides,
  review: InReview,
): IterableIterator<Relinked> {
  const told = new Set<string>();
  const addresses = new AppAddresses(original);
  for (const { key: space, pages } of plan.steps) {
    for (const { id } of pages?.links ?? []) {
      const stood = live?.one('page', `${space}/${id}`);
      if (stood === undefined || told.has(stood.key)) continue;
      told.add(stood.key);
      const now = review.find(ids, stood) ?? findRestored(ids, restored, stood);
      const text = now?.text ?? '';
      if (now === undefined) yield { key: stood.key, got: 'missing' };
      else
        yield { key: stood.key, got: turnedInPlace(text, { addresses, ids, own: space }) === text ? 'turned' : 'old' };
    }
  }
}
