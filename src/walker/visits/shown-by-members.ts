// Which spaces a member sees, and with which permission: only counters tell that it moved, and one space that goes while another comes
// leaves them as they were. So does a permission that follows from where a space stands.
import type { KindName } from '../../contract/index.ts';
import {
  addVisit,
  bodyOf,
  clearReadMarks,
  countBelow,
  heldByKey,
  heldOf,
  membersWhoSee,
  readMark,
  wasRouted,
  type Held,
} from '../../mirror/index.ts';
import { placeOf } from '../order.ts';
import type { Walk } from '../types.ts';
import type { Body } from './parts.ts';
import { uncountUnmovedOf } from './read-again.ts';

const SHOWN = 'space-member';

/** What members may do in a space follows from these, where they have no right on it of their own. */
const RIGHTS: Partial<Record<KindName, readonly string[]>> = {
  collection: ['defaultLevel', 'parent'],
  space: ['defaultLevel', 'parent'],
};

/**
 * Reads the listings that were believed to stand still and show a space that has ended; where that cannot be any more, the next walk does.
 * So it does with a space that went after this walk came by it: the members count it still, and their listings would seem to lack it.
 */
export function readMembersAgain(walk: Walk, space: Pick<Held, 'rid' | 'key'>): void {
  const isCounted = wasRouted(walk, space.rid);
  for (const { rid, params } of membersWhoSee(walk.mirror, space.key)) {
    const known = readMark(walk.mirror, rid, SHOWN);
    if (known === undefined || known.snapshot === walk.id) continue;
    if (!isCounted && uncountUnmovedOf(walk, rid, SHOWN)) readAgain(walk, { rid, params }, known.mark);
    else clearReadMarks(walk.mirror, rid, SHOWN);
  }
}

interface SeenPlace {
  readonly kind: KindName;
  readonly key: string;
  readonly body: Body;
}

/**
 * Reads the listings of the members of an organization where what their permissions follow from is another than is held. Call before
 * that is taken in. Listings that this walk has not come by yet are read then.
 */
export function readRightsAgain(walk: Walk, seen: SeenPlace): void {
  if (!haveRightsMoved(walk, seen)) return;
  for (const member of heldOf(walk.mirror, 'member')) {
    if (
      member.params['organizationId'] !== seen.body['organization'] ||
      countBelow(walk.mirror, member.rid, SHOWN) === 0
    )
      continue;
    const known = readMark(walk.mirror, member.rid, SHOWN);
    if (known === undefined || known.snapshot === walk.id) continue;
    if (uncountUnmovedOf(walk, member.rid, SHOWN)) readAgain(walk, member, known.mark);
    else clearReadMarks(walk.mirror, member.rid, SHOWN);
  }
}

function haveRightsMoved({ mirror }: Walk, { kind, key, body }: SeenPlace): boolean {
  const fields = RIGHTS[kind];
  const known = fields && heldByKey(mirror, kind, key);
  const held = known && bodyOf(mirror, known.rid);
  if (fields === undefined || held === undefined) return false;
  return fields.some((field) => (held[field] ?? null) !== (body[field] ?? null));
}

function readAgain(walk: Walk, { rid, params }: Pick<Held, 'rid' | 'params'>, mark: string): void {
  const visit = { kind: SHOWN, scope: rid, path: params, mark };
  addVisit(walk, { task: 'listing', params: visit, place: placeOf(walk, params) });
}
