// Why a step failed. A space that somebody deletes while a restore writes into it: each of its steps fails like a lost address, and no
// resume finds it again.
import { AppError, toAppError } from '../../base/index.ts';
import { isTokenRefused } from '../../client/index.ts';
import { kindOf } from '../../contract/index.ts';
import { firstOf, idAt } from '../resource.ts';
import type { ApplyContext, PlanStep } from '../types.ts';
import { isGone } from '../answers.ts';
import { isThere } from '../target/content-there.ts';
import { asideWords } from './sites/free-path.ts';
import { orNull } from './write-once.ts';

/** Why a step failed: DM_OBJECT_DRIFTED where what it asked for is gone because the space that it is about is, else the error itself. */
export async function whyFailed(context: ApplyContext, step: PlanStep, error: unknown): Promise<AppError> {
  const failure = toAppError(error);
  if (isTokenRefused(error))
    return new AppError(failure.code, failure.message, { hint: TAKEN_ELSEWHERE, cause: error });
  if (!isGone(error) || step.part === 'undelete') return withPathSaid(context, step, failure);
  const key = spaceOfStep(context, step);
  const id = key === null ? undefined : context.ids.get('space', key);
  if (id === undefined || (await orNull(() => isThere(context, { spaceId: id }))) !== false) return failure;
  return new AppError('DM_OBJECT_DRIFTED', `space ${id}, which it is written into, was deleted while the restore ran`, {
    hint: `A resume finds it no more. ${planAnew(context, key ?? '')}`,
    cause: error,
  });
}

async function withPathSaid(context: ApplyContext, step: PlanStep, failure: AppError): Promise<AppError> {
  const words = await orNull(() => asideWords(context, step));
  if (words === null) return failure;
  const { code, message, hint } = failure;
  return new AppError(code, `${message}; ${words}`, { hint, cause: failure });
}

// One that is taken nowhere ends the restore.
const TAKEN_ELSEWHERE =
  'The target takes the token at other requests: give its account the right to this one, then run the same command again.';

function planAnew({ live }: ApplyContext, key: string): string {
  // What is made anew a second time would stand there twice.
  if (live === null)
    return `Take this restore back and make the plan anew, or one of this space alone, with --scope space:${key} --into-existing.`;
  return 'Make a new plan: it brings back the space too.';
}

/** The key of the space that a step is about; null where it is about none. */
function spaceOfStep({ reader }: ApplyContext, { kind, key }: PlanStep): string | null {
  if (kindOf(kind).params[0] === 'spaceId') return firstOf(key);
  return kind === 'site-space' ? (idAt(reader.one(kind, key)?.body['space']) ?? null) : null;
}

const SAME_COMMAND = /\b(run) the same command again\b/gi;

/**
 * The advice with the command that goes on with this restore, an undo too, in the place of the one that began it: `restore apply` takes a
 * plan only once.
 */
export function resumeHint(hint: string, restore: string): string {
  return hint.replaceAll(SAME_COMMAND, (_, run: string) => `${run} \`docmirror restore resume ${restore}\``);
}
