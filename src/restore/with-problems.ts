import type { StepOutcome } from './types.ts';

/** What was brought, with what a person should know of it besides. */
export function withProblems(outcome: StepOutcome, problems: readonly string[]): StepOutcome {
  if (problems.length === 0) return outcome;
  return { ...outcome, problem: [...(outcome.problem === undefined ? [] : [outcome.problem]), ...problems].join('; ') };
}
