// What somebody made under the name that a step was to make it with, after the plan was made: it is not the restore's to adopt, since an
// undo would take it away.
import { AppError } from '../../base/index.ts';
import type { ApiError } from '../../client/index.ts';
import { kindOf } from '../../contract/index.ts';
import { isConflict } from '../answers.ts';
import type { ApplyContext, PlanStep, StepOutcome, StepWork } from '../types.ts';
import { orNull, writeOnce } from './write-once.ts';

/** Writes once. Throws DM_OBJECT_DRIFTED where the platform refuses the name, and the restore cannot have given it to what has it. */
export async function writeOrHold(context: ApplyContext, step: PlanStep, work: StepWork): Promise<StepOutcome> {
  const isFirst = context.journal.hasWrittenNothing(step.step);
  try {
    return await writeOnce(context, step, work);
  } catch (error) {
    const { find } = work;
    if (!isFirst || find === null || !isNameRefused(error, step)) throw error;
    if ((await orNull(() => find(context, step))) === null) throw error;
    throw madeByOthers(step, error);
  }
}

function isNameRefused(error: unknown, { kind }: PlanStep): error is ApiError {
  return isConflict(error) && error.operation === kindOf(kind).create;
}

function madeByOthers({ kind, title, key }: PlanStep, cause: ApiError): AppError {
  return new AppError('DM_OBJECT_DRIFTED', `${kind} ${title} (${key}) was made by somebody since the plan was made`, {
    hint: 'It is left as it is. Make a new plan to see what it is now.',
    cause,
  });
}
