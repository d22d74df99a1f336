// Several settings of one thing: one write, and one for each of them where the platform takes not all.
import { ApiError } from '../../client/index.ts';
import type { StepOutcome } from '../types.ts';
import { withLacks } from '../with-problems.ts';
import { nothing } from './original.ts';

// What a platform answers to a value that it does not take: also where a higher plan is needed for it, or something stands against it.
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 409, 412, 422]);

/** Sets what it can of the settings and names the others. Throws what the platform says when it takes none. */
export async function setEachAlone<Settings extends object>(
  settings: Settings,
  write: (some: Partial<Settings>) => Promise<unknown>,
): Promise<StepOutcome> {
  const refusal = await refusalOf(() => write(settings));
  if (refusal === null) return nothing;
  const entries = Object.entries(settings) as [string, unknown][];
  if (entries.length < 2) throw refusal;
  const problems: string[] = [];
  for (const [name, value] of entries) {
    const said = await refusalOf(() => write({ [name]: value } as Partial<Settings>));
    if (said !== null) problems.push(`${name} was not taken: ${said.message}`);
  }
  if (problems.length === entries.length) throw refusal;
  return withLacks(nothing, problems);
}

async function refusalOf(write: () => Promise<unknown>): Promise<ApiError | null> {
  try {
    await write();
    return null;
  } catch (error) {
    if (error instanceof ApiError && REFUSALS.has(error.status ?? 0)) return error;
    throw error;
  }
}
