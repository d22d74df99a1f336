// What an undo is to take away, and people have put something into since: it would go with it.
import type { KindName } from '../../contract/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { IS_LEFT, type LaterRestores } from './later-restores.ts';
import { titleOf } from '../resource.ts';

/** What is deleted with its holder, told by keys that begin with that of the holder. */
export const HELD: Readonly<Partial<Record<KindName, readonly KindName[]>>> = {
  comment: ['comment-reply'],
  'change-request-comment': ['change-request-comment-reply'],
  site: ['site-section', 'site-section-group', 'share-link'],
};

/** Why it stays, naming what is in it; null where all that is in it is the restore's own. */
export function holdsOthers(
  live: SnapshotReader,
  { isOwn, later }: { readonly isOwn: (resource: Resource) => boolean; readonly later: LaterRestores },
): (holder: Resource) => string | null {
  return (holder) => {
    for (const kind of HELD[holder.kind] ?? [])
      for (const one of live.resources(kind, holder.key))
        if (!isOwn(one))
          return `${kind} "${titleOf(one)}", ${later.whyThere(kind, one.id) ?? `which somebody has added since, would go with it: ${IS_LEFT}`}`;
    return null;
  };
}
