// Which spaces a member sees, and with which permission: only counters tell that it moved, and one space that goes while another comes
// leaves them as they were. So does a permission that follows from where a space stands.
import type { KindName } from '../../contract/index.ts';
import { bodyOf, heldByKey, membersNotRead, membersWhoSee, wasRouted, type Held } from '../../mirror/index.ts';
import type { Walk } from '../types.ts';
import type { Body } from './parts.ts';
import { leaveUnmoved, readUnmoved } from './read-again.ts';

const SHOWN = 'space-member';

/** What members may do in a space follows from these, of it or of its collection, where they have no right on it of their own. */
const RIGHTS = ['defaultLevel', 'parent', 'organization'] as const;

/**
 * Reads the listings that were believed to stand still and show a space that has ended; where that cannot be any more, the next walk does.
 * So it does with a space that went after this walk came by it: the members count it still, and their listings would seem to lack it.
 */
export function readMembersAgain(walk: Walk, space: Pick<Held, 'rid' | 'key'>): void {
  const isCounted = wasRouted(walk, space.rid);
  for (const member of membersWhoSee(walk.mirror, space.key)) {
    if (isCounted) leaveUnmoved(walk, SHOWN, member);
    else readUnmoved(walk, SHOWN, member);
  }
}

interface SeenPlace {
  readonly kind: KindName;
  readonly key: string;
  readonly body: Body;
}

/**
 * Reads the listings of the members of an organization where what their permissions follow from is another than is held; for what came
 * from another organization, of that one's too. Call before that is taken in. Listings that this walk has not come by yet are read then.
 */
export function readRightsAgain(walk: Walk, { kind, key, body }: SeenPlace): void {
  const known = kind === 'space' || kind === 'collection' ? heldByKey(walk.mirror, kind, key) : undefined;
  const held = known && bodyOf(walk.mirror, known.rid);
  if (held === undefined || RIGHTS.every((field) => (held[field] ?? null) === (body[field] ?? null))) return;
  for (const organization of new Set([body['organization'], held['organization']])) {
    if (typeof organization !== 'string') continue;
    for (const member of membersNotRead(walk, organization)) readUnmoved(walk, SHOWN, member);
  }
}
