// Comments that stay with pages that are gone, since the pages that come back for these have other ids.
import { valueAt } from '../../base/index.ts';
import type { PagesMend } from '../types.ts';
import type { Mending } from './input.ts';

const STAYS =
  'stays with the page that is gone, as outdated: the one that is made for it has another id, and no operation moves a comment';

/** Names those that the platform has kept, before anybody looks for them at the new pages. */
export function addLeftComments(
  { list, live, comments }: Mending,
  space: string,
  { missing, changed }: Pick<PagesMend, 'missing' | 'changed'>,
): void {
  const gone = new Set([...missing.map(({ id }) => id), ...changed.flatMap(({ of }) => of ?? [])]);
  if (!comments || gone.size === 0) return;
  for (const comment of live.resources('comment', space)) {
    const page = valueAt(comment.body, 'target.page.id');
    if (typeof page === 'string' && gone.has(page)) list.addIdle('unsupported', comment, { note: STAYS });
  }
}
