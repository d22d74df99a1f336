// Links that led nowhere in the snapshot, though something elsewhere has their id. Whether a restore leaves them as they are or gives
// them the new id, they lead nowhere still: neither is a difference.
import type { LinkById } from '../../base/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { keyAbove } from '../resource.ts';
import { isBroken, targetsIn } from '../links/links.ts';
import { wantedText } from './values.ts';
import type { Sides } from './sides.ts';

/** The text of a page as it should stand, where each link that led nowhere may stand as it stood. */
export function textWithBroken({ original, ids }: Sides, page: Resource, got: string): string | null {
  const targets = targetsIn(got);
  return wantedText(page, ids, (link, { target, number }) => {
    return targets[number] === target && leadsNowhere(original, page, link);
  });
}

/** In a change request a link leads to what that holds, or else to what its space does. */
function leadsNowhere(original: SnapshotReader, { kind, key, params }: Resource, link: LinkById): boolean {
  const { spaceId: own = '' } = params;
  if (!isBroken(original, own, link)) return false;
  if (kind !== 'change-request-page' || link.to === 'space' || (link.space ?? own) !== own) return true;
  return original.one(`change-request-${link.to}`, `${keyAbove(key)}/${link.id}`) === undefined;
}
