// What visits under way will still ask for: by it a budget is used up to its end, and not beyond.
import { visitsLeft, type Mirror, type Visit } from '../mirror/index.ts';
import { spaceOfPlace } from './order.ts';
import type { Requests } from './tasks.ts';

/** Requests of a recount, about: its parent, its listing, its parent again. */
const RECOUNT = 3;

export interface Coming {
  begin(visit: Visit, requests: Requests): void;
  /** Its answer is there, and waits to be taken in. */
  answered(visit: Visit): void;
  end(visit: Visit): void;
  /** True when all that is under way is of the space of a visit, or nothing is. */
  isOfSpace(visit: Visit): boolean;
  /** How many visits wait for the platform. */
  asking(): number;
  /** Requests that those under way will still make, and those that follow from them. */
  requests(): number;
}

export function createComing(): Coming {
  const asking = new Map<number, number>();
  const following = new Map<number, number>();
  const places = new Map<number, number>();
  let sum = 0;
  const settle = (of: Map<number, number>, seq: number): void => {
    sum -= of.get(seq) ?? 0;
    of.delete(seq);
  };
  return {
    begin: ({ seq, place }, { own, following: next }) => {
      places.set(seq, place);
      asking.set(seq, own);
      following.set(seq, next);
      sum += own + next;
    },
    answered: ({ seq }) => settle(asking, seq),
    end: ({ seq }) => {
      places.delete(seq);
      settle(asking, seq);
      settle(following, seq);
    },
    isOfSpace: ({ place }) => [...places.values()].every((one) => spaceOfPlace(one) === spaceOfPlace(place)),
    asking: () => asking.size,
    requests: () => sum,
  };
}

/** Requests kept back for looking once more at what was read, so that it counts as read. */
export function reservedFor(mirror: Mirror): number {
  const direct = visitsLeft(mirror, 'absent') + visitsLeft(mirror, 'deleted-space');
  return visitsLeft(mirror, 'confirm') + direct + RECOUNT * visitsLeft(mirror, 'recount');
}
