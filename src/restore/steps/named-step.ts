// A step as another one names it: people see no numbers in a plan, and JSON has them.
import type { PlanStep } from '../types.ts';

export function namedStep({ kind, title, step }: Pick<PlanStep, 'kind' | 'title' | 'step'>): string {
  return `${kind} ${title} (step ${step})`;
}

/** The same by its number: steps are numbered as they stand. */
export function namedStepOf(steps: readonly PlanStep[], number: number): string {
  const step = steps[number - 1];
  return step === undefined ? `step ${number}` : namedStep(step);
}
