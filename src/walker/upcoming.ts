// The frontier as one stage sees it: its next visits, and what later stages will ask for. It is looked at anew only after a
// transaction, since nothing else adds to it.
import { lastVisit, nextVisits, visitsBy, type Visit } from '../mirror/index.ts';
import { reservedFor } from './coming.ts';
import type { Walk } from './types.ts';

// Numbers of visits that are next, and how many of these are read at once.
const FETCH = 64;
const AT_ONCE = 16;
const BEFORE_ALL = -1;

export interface Upcoming {
  /** The next visit that is not begun and whose turn it is; undefined when there is none for now. */
  first(): Visit | undefined;
  /** Takes it off: it is begun, or left. */
  drop(visit: Visit): void;
  /** Requests kept back for later stages, as of the last transaction; 0 where requests are not limited. */
  reserved(): number;
}

interface Looking {
  readonly stage: number;
  /** Numbers of visits that are begun. */
  readonly underWay: ReadonlySet<number>;
  /** True for what has to wait until others that are begun have ended. */
  readonly mustWait: (visit: Visit) => boolean;
  /** How many transactions there were. */
  readonly transactions: () => number;
}

export function createUpcoming({ mirror, settings }: Pick<Walk, 'mirror' | 'settings'>, looking: Looking): Upcoming {
  const { stage, underWay, mustWait, transactions } = looking;
  let visits: Visit[] = [];
  // Numbers of those that come after them, which are not read yet.
  let further: number[] = [];
  // Of the last look: how many transactions there were, the last visit then, whether the stage may have had more, whether some of it was
  // passed over, and whether nothing was found beyond.
  let seen = -1;
  let last = -1;
  let hasMore = true;
  let hasPassed = false;
  let isAtEnd = false;
  let reserved = 0;
  const fetch = (beyond: number): void => {
    further = nextVisits(mirror, { stage, underWay, beyond }, FETCH);
    hasMore = further.length >= FETCH;
    hasPassed = beyond !== BEFORE_ALL;
    isAtEnd = hasPassed && further.length === 0;
  };
  const look = (): void => {
    const left = visits.length + further.length;
    if (seen === transactions() && (left > 0 || !(hasMore || hasPassed))) return;
    const newest = lastVisit(mirror);
    seen = transactions();
    if ((settings.maxRequests ?? null) !== null) reserved = reservedFor(mirror);
    // Of what was passed over one may have its turn by now.
    if (newest === last && left > 0 && !isAtEnd) return;
    // What was added meanwhile may come before what waits.
    last = newest;
    visits = [];
    fetch(BEFORE_ALL);
  };
  return {
    first: () => {
      look();
      for (;;) {
        const next = visits.find((visit) => !mustWait(visit));
        if (next !== undefined) return next;
        const waiting = visits.at(-1);
        // All that is left of its place waits for the same.
        if (waiting !== undefined && !isAtEnd) fetch(waiting.place);
        if (further.length === 0) return undefined;
        visits.push(...visitsBy(mirror, further.splice(0, AT_ONCE)));
      }
    },
    drop: (visit) => void (visits = visits.filter((one) => one !== visit)),
    reserved: () => reserved,
  };
}
