import { count, few } from '../base/index.ts';
import type { StepOutcome } from './types.ts';

/** What was brought, with what a person should know of it besides. */
export function withProblems(outcome: StepOutcome, problems: readonly string[]): StepOutcome {
  if (problems.length === 0) return outcome;
  return { ...outcome, problem: [...(outcome.problem === undefined ? [] : [outcome.problem]), ...problems].join('; ') };
}

/** What was brought, with what of it did not come back: an apply that knows of that is no success. */
export function withLacks(outcome: StepOutcome, lacks: readonly string[]): StepOutcome {
  return lacks.length === 0 ? outcome : { ...withProblems(outcome, lacks), isLacking: true };
}

/** What was brought, with what one part of the step says of it. */
export function withTold(
  outcome: StepOutcome,
  { problem, isLacking = false, isMixed = false }: Pick<StepOutcome, 'problem' | 'isLacking' | 'isMixed'>,
): StepOutcome {
  const said = problem === undefined ? [] : [problem];
  const told = isLacking ? withLacks(outcome, said) : withProblems(outcome, said);
  return isMixed ? { ...told, isMixed } : told;
}

/** What was brought by a merge that may have met edits of others. */
export function withBoth(outcome: StepOutcome, isBoth = false): StepOutcome {
  return isBoth ? { ...withProblems(outcome, [BOTH]), isMixed: true } : outcome;
}

const BOTH = 'somebody edited the same pages meanwhile: both versions are in them';

/** How many pages it is about, and the first of them by their titles. */
export function pagesNamed(titles: readonly string[]): string {
  return `${count(titles.length, 'page')} (${few(titles, MOST_NAMED)})`;
}

const MOST_NAMED = 5;
