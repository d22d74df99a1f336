// Which spaces a member sees: only counters tell that it moved, and one space that goes while another comes leaves them as they were.
import { clearReadMarks, membersWhoSee, readMark, addVisit } from '../../mirror/index.ts';
import { placeOf } from '../order.ts';
import type { Walk } from '../types.ts';
import { uncountUnmovedOf } from './read-again.ts';

const SHOWN = 'space-member';

/** Reads the listings that were believed to stand still and show a space that has ended; where that cannot be any more, the next walk does. */
export function readMembersAgain(walk: Walk, space: string): void {
  for (const { rid, params } of membersWhoSee(walk.mirror, space)) {
    const known = readMark(walk.mirror, rid, SHOWN);
    if (known === undefined || known.snapshot === walk.id) continue;
    if (uncountUnmovedOf(walk, rid, SHOWN)) {
      const visit = { kind: SHOWN, scope: rid, path: params, mark: known.mark };
      addVisit(walk, { task: 'listing', params: visit, place: placeOf(walk, params) });
    } else clearReadMarks(walk.mirror, rid, SHOWN);
  }
}
