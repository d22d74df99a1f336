// What every step begins with: the original in the snapshot.
import { AppError } from '../../base/index.ts';
import type { Resource } from '../../mirror/index.ts';
import type { ApplyContext, PlanStep, StepOutcome, StepWork } from '../types.ts';

/** The outcome of a write that makes nothing. */
export const nothing: StepOutcome = { newId: null };

/** Throws DM_ARCHIVE_DAMAGED when the snapshot does not have what the plan names. */
export function original(context: ApplyContext, step: PlanStep): Resource {
  const found = context.reader.one(step.kind, step.key);
  if (found) return found;
  throw new AppError('DM_ARCHIVE_DAMAGED', `${step.kind} ${step.key} is not in snapshot ${context.plan.snapshot}`, {
    hint: 'Run `docmirror check`; restore from another snapshot.',
  });
}

/** A write that sets what it sets: doing it again does no harm, so nothing is looked for. */
export function setting(write: (context: ApplyContext, step: PlanStep) => Promise<StepOutcome | void>): StepWork {
  return {
    write: async (context, step) => (await write(context, step)) ?? nothing,
    find: null,
    isAtOnce: true,
  };
}
