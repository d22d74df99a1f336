// How much of a walk is not known of yet: a space is one visit on the frontier until its tree is read, and hundreds from then on.
import { leadingVisits, type Mirror, type Visit } from '../mirror/index.ts';

/** Looking at what waits takes about a millisecond for each ten thousand visits. */
const LOOK_EVERY_MS = 1000;

export interface Ahead {
  made(visit: Visit): void;
  /** Estimate of the visits that waiting ones will lead to; null while trees are waiting and none was read. */
  reckon(
    mirror: Mirror,
    known: { readonly visited: number; readonly waiting: number; readonly now: number },
  ): number | null;
}

/** @param documents Whether each page leads to its document tree. */
export function createAhead(documents: boolean): Ahead {
  let trees = 0;
  // Visits known of when no tree was read yet.
  let before = 0;
  let last: { readonly at: number; readonly ahead: number | null } | null = null;
  return {
    made: ({ task, params }) => {
      if (task === 'content' && params['kind'] === 'revision') trees += 1;
    },
    reckon: (mirror, { visited, waiting, now }) => {
      if (trees === 0) before = visited + waiting;
      if (last !== null && now - last.at < LOOK_EVERY_MS) return last.ahead;
      const left = leadingVisits(mirror);
      const ofPages = documents ? left.pages : 0;
      const ofTree = Math.max(0, visited + waiting + ofPages - before) / trees;
      const isUnknown = trees === 0 && left.trees > 0;
      last = { at: now, ahead: isUnknown ? null : ofPages + (trees === 0 ? 0 : Math.round(left.trees * ofTree)) };
      return last.ahead;
    },
  };
}
