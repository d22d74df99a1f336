// Values of custom fields: one write for a space, and one for each of them where the platform takes not all.
import { AppError } from '../../base/index.ts';
import type { ApiError } from '../../client/index.ts';
import type { BodyOf } from '../../contract/index.ts';
import { NOT_TAKEN, whyRefused } from '../answers.ts';
import type { ApplyContext } from '../types.ts';

export type FieldValues = NonNullable<BodyOf<'updateCustomFieldValues'>['values']>;

/** What was not taken: names of fields, and what to say of them. */
interface Refused {
  readonly names: ReadonlySet<string>;
  readonly problems: readonly string[];
}

const NONE: Refused = { names: new Set(), problems: [] };

/**
 * Sets all values of a space at once. An option may be retired while a space still has it as its value, and is not taken again:
 * that one is left then, and the others are set. Throws what the platform says of the first when it takes none.
 */
export async function writeValues(context: ApplyContext, space: string, all: FieldValues): Promise<Refused> {
  const { client } = context;
  const set = (values: FieldValues): Promise<ApiError | null> => {
    const input = { path: { spaceId: space }, body: { values } };
    return whyRefused(() => client.call('updateCustomFieldValues', input), NOT_TAKEN);
  };
  const entries = Object.entries(all);
  const refusal = entries.length === 0 ? null : await set(all);
  if (refusal === null) return NONE;
  const refused = new Map<string, ApiError>();
  for (const [name, value] of entries) {
    const said = entries.length === 1 ? refusal : await set({ [name]: value });
    if (said !== null) refused.set(name, said);
  }
  const [first] = refused;
  if (first !== undefined && refused.size === entries.length) throw notTaken(...first);
  return { names: new Set(refused.keys()), problems: [...refused].map(([name, said]) => notTaken(name, said).message) };
}

function notTaken(field: string, cause: ApiError): AppError {
  return new AppError(cause.code, `the value of ${field} was not taken: ${cause.message}`, {
    hint: `See of which type the custom field ${field} is by now, and give it the option again that it lacks. Then run the same command again.`,
    cause,
  });
}

/** The map of the values without those that were refused. */
export function taken(made: Readonly<Record<string, string>>, refused: ReadonlySet<string>): Record<string, string> {
  return Object.fromEntries(Object.entries(made).filter(([, name]) => !refused.has(name)));
}
