// The frontier as one stage sees it: its next visits, and what later stages will ask for. It is looked at anew only after a
// transaction, since nothing else adds to it.
import { lastVisit, nextVisits, visitsBy, type Visit } from '../mirror/index.ts';
import { reservedFor } from './coming.ts';
import type { Walk } from './types.ts';

// Numbers of visits that are next, and how many of these are read at once.
const FETCH = 64;
const AT_ONCE = 16;

export interface Upcoming {
  /** The next visit that is not begun; undefined when there is none for now. */
  first(): Visit | undefined;
  /** Takes the first one off: it is begun, or left. */
  shift(): void;
  /** Requests kept back for later stages, as of the last transaction; 0 where requests are not limited. */
  reserved(): number;
}

interface Looking {
  readonly stage: number;
  /** Numbers of visits that are begun. */
  readonly underWay: ReadonlySet<number>;
  /** How many transactions there were. */
  readonly transactions: () => number;
}

export function createUpcoming({ mirror, settings }: Walk, { stage, underWay, transactions }: Looking): Upcoming {
  let visits: Visit[] = [];
  // Numbers of those that come after them, which are not read yet.
  let further: number[] = [];
  // Of the last look: how many transactions there were, the last visit then, and whether the stage may have had more.
  let seen = -1;
  let last = -1;
  let hasMore = true;
  let reserved = 0;
  const look = (): void => {
    const left = visits.length + further.length;
    if (seen === transactions() && (left > 0 || !hasMore)) return;
    const newest = lastVisit(mirror);
    seen = transactions();
    if ((settings.maxRequests ?? null) !== null) reserved = reservedFor(mirror);
    if (newest === last && left > 0) return;
    // What was added meanwhile may come before what waits.
    last = newest;
    visits = [];
    further = nextVisits(mirror, { stage, underWay }, FETCH);
    hasMore = further.length >= FETCH;
  };
  return {
    first: () => {
      look();
      while (visits.length === 0 && further.length > 0) visits = visitsBy(mirror, further.splice(0, AT_ONCE));
      return visits[0];
    },
    shift: () => void visits.shift(),
    reserved: () => reserved,
  };
}
