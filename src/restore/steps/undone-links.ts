// A step that can do without what another was to make: it waits for a resume, and then comes without it, which is said.
import { lastOf } from '../resource.ts';
import { writesValues } from '../special/retired-options.ts';
import type { ApplyContext, PlanStep } from '../types.ts';

/** Steps that it links to, or that make a field it has a value of, and that were not done. */
export function undoneLinks(
  { plan, journal }: Pick<ApplyContext, 'plan' | 'journal'>,
  { linksTo = [] }: PlanStep,
): PlanStep[] {
  const undone = new Set(linksTo.filter((one) => journal.stateOf(one) !== 'done'));
  return undone.size === 0 ? [] : plan.steps.filter(({ step }) => undone.has(step));
}

export function whyWaiting(step: PlanStep, [first]: readonly PlanStep[]): string {
  const makes = first?.part === 'create' ? 'makes' : 'sets back';
  const how = writesValues(step) ? `${makes} a field that it has a value of` : 'it links to';
  return `step ${first?.step ?? ''}, which ${how}, was not done: a resume writes it in any case`;
}

/** What does not come back of a step that is written all the same. */
export function lacksOfUndone(step: PlanStep, undone: readonly PlanStep[]): string[] {
  const [first] = undone;
  if (first === undefined) return [];
  if (writesValues(step)) {
    const done = undone.every(({ part }) => part === 'create') ? 'made' : 'made or set back';
    return [`no value of ${fieldsOf(undone).join(', ')}, which could not be ${done}`];
  }
  return [`its links to what step ${first.step} was to bring back lead nowhere`];
}

/** Names of the fields that steps were to make. */
export function fieldsOf(undone: readonly PlanStep[]): string[] {
  return undone.map(({ key }) => lastOf(key));
}
