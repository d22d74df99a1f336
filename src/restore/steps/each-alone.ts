// Several settings of one thing where the platform takes not all of them: it gets the others, and the refused ones are named.
import { canonicalJson } from '../../base/index.ts';
import type { ApiError } from '../../client/index.ts';
import { hasStatus, isConflict, NOT_PERMITTED, NOT_TAKEN, STANDS_AGAINST, whyRefused } from '../answers.ts';
import type { Body } from '../resource.ts';
import type { StepOutcome } from '../types.ts';
import { withLacks } from '../with-problems.ts';
import { nothing } from './original.ts';
import { orNull } from './write-once.ts';

// What a platform answers to a value that it does not take: also where a higher plan is needed for it, or something stands against it.
export const REFUSALS = [...NOT_TAKEN, ...NOT_PERMITTED, ...STANDS_AGAINST];

/**
 * Sets what it can of the settings and names the others. Throws what the platform says when it takes none.
 * @param read The thing as it stands: a value that it has already lacks nothing, though the platform refuses to be sent it.
 */
export async function setEachAlone<Settings extends object>(
  settings: Settings,
  write: (some: Partial<Settings>) => Promise<unknown>,
  read: () => Promise<Body | undefined> = () => Promise.resolve(undefined),
): Promise<StepOutcome> {
  const refusal = await whyRefused(() => write(settings), REFUSALS);
  if (refusal === null) return nothing;
  const all = Object.entries(settings) as [string, unknown][];
  const now = await orNull(async () => (await read()) ?? null);
  const lacking = new Set(all.flatMap(([name, value]) => (now === null || !isSame(now[name], value) ? [name] : [])));
  if (lacking.size === 0) return nothing;
  if (all.length < 2) throw refusal;
  const said = new Map<string, string>();
  for (const [name, value] of all) {
    const why = await whyRefused(() => write({ [name]: value } as Partial<Settings>), REFUSALS);
    if (why !== null) said.set(name, `${name} was not taken: ${why.message}`);
  }
  if (said.size === all.length) throw refusal;
  const problems = [...said].filter(([name]) => lacking.has(name));
  if (problems.length === 0) return nothing;
  return withLacks(
    { ...nothing, refusedFields: problems.map(([name]) => name) },
    problems.map(([, why]) => why),
  );
}

/** What is not said may be answered as null. */
function isSame(now: unknown, value: unknown): boolean {
  return canonicalJson(now ?? null) === canonicalJson(value ?? null);
}

/** What was made, the settings of it that the platform did not take, and what it did not take, with what stands instead. */
interface MadeWithout<Answer> {
  readonly answer: Answer;
  readonly left: readonly string[];
  readonly refused: readonly string[];
}

export interface Instead {
  /** Settings, and what is sent in place of each; undefined leaves it out. */
  readonly settings: ReadonlyMap<string, unknown>;
  /** What else goes beyond the limits of the API document, as it is within them. */
  readonly within?: Readonly<Record<string, string>>;
  /** Those of them that are set once more when the rest of it is there: that step says then what is not taken. */
  readonly setLater?: readonly string[];
  /** Statuses of refusals that may be of one of these; by default also those of rights and of a higher plan. */
  readonly refusals?: readonly number[];
}

/**
 * Makes a thing; where the platform refuses it as it is, within the limits of the API document, then without the one setting that it does
 * not take, or without all of them.
 */
export async function makeOfTaken<Body extends object, Answer>(
  body: Body,
  { settings, within = {}, refusals = REFUSALS, setLater = [] }: Instead,
  make: (body: Body) => Promise<Answer>,
): Promise<MadeWithout<Answer>> {
  const refused: ApiError[] = [];
  for (const { left, isWithin } of triesOf([...settings.keys()], Object.keys(within).length > 0)) {
    try {
      const cut = isWithin ? within : {};
      const answer = await make({
        ...body,
        ...cut,
        ...Object.fromEntries(left.map((name) => [name, settings.get(name)])),
      });
      const why = refused[0]?.message ?? '';
      const cuts = Object.entries(cut).map(
        ([name, value]) => `${name} was not taken, and is "${value}" instead: ${why}`,
      );
      const lost = left.filter((name) => !setLater.includes(name));
      return { answer, left, refused: [...cuts, ...lost.map((name) => `${name} was not taken: ${why}`)] };
    } catch (error) {
      // What stands there already stands there without the setting too.
      if (!hasStatus(error, refusals) || isConflict(error)) throw error;
      refused.push(error);
    }
  }
  throw refused[0] ?? new Error('nothing was tried');
}

interface Try {
  /** Names of settings. */
  readonly left: readonly string[];
  readonly isWithin: boolean;
}

function triesOf(names: readonly string[], hasLimits: boolean): Try[] {
  const fewer = [...names.map((name) => [name]), ...(names.length > 1 ? [names] : [])];
  const ways = hasLimits ? [false, true] : [false];
  return [[[]], fewer].flatMap((lefts) => ways.flatMap((isWithin) => lefts.map((left) => ({ left, isWithin }))));
}
