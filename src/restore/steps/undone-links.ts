// A step that can do without what another was to make: it waits for a resume, and then comes without it, which is said.
import { lastOf } from '../resource.ts';
import { writesValues } from '../special/retired-options.ts';
import { withLacks } from '../with-problems.ts';
import type { ApplyContext, PlanStep, StepOutcome } from '../types.ts';

/** Steps that it links to, or that make a field it has a value of, and that were not done. */
export function undoneLinks(
  { plan, journal }: Pick<ApplyContext, 'plan' | 'journal'>,
  { linksTo = [] }: PlanStep,
): PlanStep[] {
  const undone = new Set(linksTo.filter((one) => journal.stateOf(one) !== 'done'));
  return undone.size === 0 ? [] : plan.steps.filter(({ step }) => undone.has(step));
}

export function whyWaiting(step: PlanStep, first: PlanStep): string {
  const how = writesValues(step) ? 'of which it has a value' : 'which it links to';
  return `${namedStep(first)}, ${how}, was not done: a resume writes it in any case`;
}

/** What was written all the same, with what does not come back of it. */
export function withUndone(step: PlanStep, outcome: StepOutcome, undone: readonly PlanStep[]): StepOutcome {
  const [first] = undone;
  if (first === undefined) return outcome;
  if (!writesValues(step))
    return withLacks(outcome, [`its links to ${namedStep(first)}, which was not done, lead nowhere`]);
  const done = undone.every(({ part }) => part === 'create') ? 'made' : 'made or set back';
  const lack = `no value of ${fieldsOf(undone).join(', ')}, which could not be ${done}`;
  return { ...withLacks(outcome, [lack]), without: undone.map((one) => one.step) };
}

/** True for values that were set without one whose field a resume has made since. */
export function isOfFieldMadeLater({ journal }: Pick<ApplyContext, 'journal'>, step: PlanStep): boolean {
  return writesValues(step) && journal.withoutOf(step.step).some((one) => journal.stateOf(one) === 'done');
}

/** Names of the fields that steps were to make. */
export function fieldsOf(undone: readonly PlanStep[]): string[] {
  return undone.map(({ key }) => lastOf(key));
}

/** A step as another one names it: people see no numbers in a plan, and JSON has them. */
function namedStep({ kind, title, step }: Pick<PlanStep, 'kind' | 'title' | 'step'>): string {
  return `${kind} ${title} (step ${step})`;
}

/** The same by its number: steps are numbered as they stand. */
export function namedStepOf(steps: readonly PlanStep[], number: number): string {
  const step = steps[number - 1];
  return step === undefined ? `step ${number}` : namedStep(step);
}
