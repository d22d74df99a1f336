// Which spaces a member sees: only counters tell that it moved, and one space that goes while another comes leaves them as they were.
import { addVisit, clearReadMarks, membersWhoSee, readMark, wasRouted, type Missing } from '../../mirror/index.ts';
import { placeOf } from '../order.ts';
import type { Walk } from '../types.ts';
import { uncountUnmovedOf } from './read-again.ts';

const SHOWN = 'space-member';

/**
 * Reads the listings that were believed to stand still and show a space that has ended; where that cannot be any more, the next walk does.
 * So it does with a space that went after this walk came by it: the members count it still, and their listings would seem to lack it.
 */
export function readMembersAgain(walk: Walk, space: Pick<Missing, 'rid' | 'key'>): void {
  const isCounted = wasRouted(walk, space.rid);
  for (const { rid, params } of membersWhoSee(walk.mirror, space.key)) {
    const known = readMark(walk.mirror, rid, SHOWN);
    if (known === undefined || known.snapshot === walk.id) continue;
    if (!isCounted && uncountUnmovedOf(walk, rid, SHOWN)) {
      const visit = { kind: SHOWN, scope: rid, path: params, mark: known.mark };
      addVisit(walk, { task: 'listing', params: visit, place: placeOf(walk, params) });
    } else clearReadMarks(walk.mirror, rid, SHOWN);
  }
}
