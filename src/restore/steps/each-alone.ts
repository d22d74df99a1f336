// Several settings of one thing where the platform takes not all of them: it gets the others, and the refused ones are named.
import type { ApiError } from '../../client/index.ts';
import { hasStatus, isConflict, whyRefused } from '../answers.ts';
import type { StepOutcome } from '../types.ts';
import { withLacks } from '../with-problems.ts';
import { nothing } from './original.ts';

// What a platform answers to a value that it does not take: also where a higher plan is needed for it, or something stands against it.
const REFUSALS = [400, 402, 403, 409, 412, 422];

/** Sets what it can of the settings and names the others. Throws what the platform says when it takes none. */
export async function setEachAlone<Settings extends object>(
  settings: Settings,
  write: (some: Partial<Settings>) => Promise<unknown>,
): Promise<StepOutcome> {
  const refusal = await whyRefused(() => write(settings), REFUSALS);
  if (refusal === null) return nothing;
  const entries = Object.entries(settings) as [string, unknown][];
  if (entries.length < 2) throw refusal;
  const problems = new Map<string, string>();
  for (const [name, value] of entries) {
    const said = await whyRefused(() => write({ [name]: value } as Partial<Settings>), REFUSALS);
    if (said !== null) problems.set(name, `${name} was not taken: ${said.message}`);
  }
  if (problems.size === entries.length) throw refusal;
  return withLacks({ ...nothing, refusedFields: [...problems.keys()] }, [...problems.values()]);
}

/** What was made, and the settings of it that the platform did not take. */
export interface MadeWithout<Answer> {
  readonly answer: Answer;
  readonly left: readonly string[];
  readonly refused: readonly string[];
}

/**
 * Makes a thing; where the platform refuses it as it is, without the one setting that it does not take, or without all of them.
 * @param settings What is sent in place of each; undefined leaves it out.
 */
export async function makeOfTaken<Body extends object, Answer>(
  body: Body,
  settings: ReadonlyMap<string, unknown>,
  make: (body: Body) => Promise<Answer>,
): Promise<MadeWithout<Answer>> {
  let refusal: ApiError | null = null;
  const names = [...settings.keys()];
  for (const left of [[], ...names.map((name) => [name]), ...(names.length > 1 ? [names] : [])]) {
    try {
      const instead = Object.fromEntries(left.map((name) => [name, settings.get(name)]));
      const answer = await make({ ...body, ...instead });
      return { answer, left, refused: left.map((name) => `${name} was not taken: ${refusal?.message ?? ''}`) };
    } catch (error) {
      // What stands there already stands there without the setting too.
      if (!hasStatus(error, REFUSALS) || isConflict(error)) throw error;
      refusal ??= error;
    }
  }
  throw refusal ?? new Error('nothing was tried');
}
