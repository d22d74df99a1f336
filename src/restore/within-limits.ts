// Values that are longer, or shorter, than the API document allows: what was edited elsewhere, or on another platform, may hold such.
import { isRecord } from '../base/index.ts';
import { bodyFields, type AnyOperationName } from '../contract/index.ts';

/** Stands for what was cut, and fills what is too short. */
const MARK = '…';

/** The fields of a body that go beyond the limits of an operation, each with what is within them; ids, patterns and formats are none. */
export function withinLimits(
  operation: AnyOperationName,
  body: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): Record<string, string> {
  const schemas = bodyFields(operation);
  return Object.fromEntries(
    fields.flatMap((field): [string, string][] => {
      const [limits, value] = [schemas[field], body[field]];
      if (!isRecord(limits) || typeof value !== 'string') return [];
      const within = fitted(value, limits);
      return within === value ? [] : [[field, within]];
    }),
  );
}

function fitted(value: string, { minLength = 0, maxLength, pattern, format }: Record<string, unknown>): string {
  if (pattern !== undefined || format !== undefined) return value;
  // JSON Schema counts code points; a platform may count code units, which are never fewer.
  if (typeof maxLength === 'number' && value.length > maxLength) return `${cut(value, maxLength - 1)}${MARK}`;
  return typeof minLength === 'number' ? value.padEnd(minLength, MARK) : value;
}

/** At most so many code units, with no character divided. */
function cut(value: string, most: number): string {
  const characters = [...new Intl.Segmenter().segment(value.slice(0, most + most))];
  let within = '';
  for (const { segment } of characters) {
    if (within.length + segment.length > most) break;
    within += segment;
  }
  return within.trimEnd();
}
