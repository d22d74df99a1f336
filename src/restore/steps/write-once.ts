// A write whose answer was lost. The restore goes on with what it did: all that stands on it would be skipped otherwise.
import { isAbort, AppError } from '../../base/index.ts';
import { ApiError } from '../../client/index.ts';
import type { ApplyContext, PlanStep, StepOutcome, StepWork } from '../types.ts';
import { kindOf } from '../../contract/index.ts';
import { isConflict } from '../answers.ts';

/**
 * Notes the step as begun and does its write. Where that may have been done without our knowing, what it made is looked for and
 * taken; nothing is made a second time. Throws the error of the write where nothing is found: a resume looks again.
 */
async function writeOnce(context: ApplyContext, step: PlanStep, work: StepWork): Promise<StepOutcome> {
  // What sets the same again does no harm a second time.
  context.journal.started(step, { outlasts: work.find !== null });
  try {
    return await work.write(context, step);
  } catch (error) {
    const again = laterTry(error, work);
    const outcome = again && (await orNull(() => again(context, step)));
    if (outcome === null) throw error;
    return outcome;
  }
}

/** What tells how it ended; null where the platform has refused the write, or may be at it still. */
function laterTry(error: unknown, work: StepWork): StepWork['find'] {
  if (!(error instanceof ApiError) || !error.sent) return null;
  const { status, code } = error;
  if (work.find !== null) return status === null || status < 300 || status >= 500 ? work.find : null;
  return code === 'DM_UNREACHABLE' ? (context, step) => work.write(context, step) : null;
}

/** Null, too, where nobody can tell now. */
export async function orNull<T = StepOutcome>(look: () => Promise<T | null>): Promise<T | null> {
  try {
    return await look();
  } catch (error) {
    if (isAbort(error)) throw error;
    return null;
  }
}

/**
 * Writes once. Throws DM_OBJECT_DRIFTED where the platform refuses the name, and the restore cannot have given it to what has it: taken
 * for the restore's own, an undo would take that away.
 */
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
