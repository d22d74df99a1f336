// How a step keeps, for a later try, that it inserts what it brings.
import type { ApplyContext, PlanStep } from '../types.ts';

/** Begins the words that a step keeps of it. */
export const HOW = 'page by page, as the target has no import for it';

/** True for a step of which an earlier try, or this one, has begun to insert. */
export function wasInserted({ journal }: Pick<ApplyContext, 'journal'>, step: PlanStep): boolean {
  return journal.keptOf(step)?.startsWith(HOW) === true;
}
