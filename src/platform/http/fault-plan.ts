// Faults on demand, as data: which requests they meet, and what happens to those.
import Type, { type Static, type TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { Value } from 'typebox/value';
import { AppError, isRecord } from '../../base/index.ts';
import { anyOperationNames } from '../../contract/index.ts';

const NAMED_EFFECTS = [
  'cut-before',
  'cut-after',
  'truncate',
  'html',
  'empty-list',
  'repeat-token',
  'short-list',
  'expired-download',
] as const;

/** `cut-before`: the connection ends unprocessed; `cut-after`: processed, but never answered. */
export type NamedEffect = (typeof NAMED_EFFECTS)[number];

/** The name of a request for the bytes of a file, on the second origin. */
export const DOWNLOAD = 'download';

/** A pattern of what a header can hold. */
export const HEADER_VALUE = '^[\\t\\x20-\\x7e\\x80-\\xff]*$';

const closed = { additionalProperties: false };
const Named = Type.Enum([...NAMED_EFFECTS], {
  description:
    'cut-before: the connection ends and nothing was processed. cut-after: it was processed, but the answer never comes. ' +
    'truncate: half of the body, then the connection ends. html: a sign-in page. empty-list, short-list: no item, or the first ' +
    'half, and no next page. repeat-token: the next page is the same one again. expired-download: the download address in the ' +
    'answer, or the one that is used, is too old.',
});
// What can be sent: of anything else the server would answer 500, with its own complaint in place of the fault.
const Headers = Type.Record(
  Type.String({ pattern: "^[\\w!#$%&'*+.^`|~-]+$" }),
  Type.String({ pattern: HEADER_VALUE }),
  closed,
);
const Status = Type.Object(
  {
    status: Type.Integer({ minimum: 200, maximum: 599 }),
    headers: Type.Optional(Headers),
    body: Type.Optional(Type.Unknown({ description: 'JSON; a text is sent as it is.' })),
  },
  { ...closed, description: 'Answers this, and does not process the request.' },
);
const Delay = Type.Object(
  { delayMs: Type.Number({ minimum: 0 }) },
  { ...closed, description: 'Waits first; delays add up.' },
);
const Skew = Type.Object(
  { skewMs: Type.Integer() },
  { ...closed, description: 'Date and X-RateLimit-Reset are off by so much; skews add up.' },
);
const Trickle = Type.Object(
  { bytesPerSecond: Type.Number({ exclusiveMinimum: 0 }) },
  { ...closed, description: 'The body comes in small pieces, at this pace.' },
);
const AddField = Type.Object(
  { addField: Type.String({ minLength: 1 }), value: Type.Optional(Type.Unknown({ description: '"unknown"' })) },
  { ...closed, description: 'Every resource in the answer has one field more.' },
);
const EnumValue = Type.Object(
  {
    enumValue: Type.String({ minLength: 1 }),
    fields: Type.Optional(Type.Array(Type.String(), { minItems: 1, description: 'Only these; absent, all of them.' })),
  },
  { ...closed, description: 'Enumerations in the answer have a value that the contract does not know.' },
);

// By the member that tells them apart.
const EFFECTS: Readonly<Record<string, TSchema>> = {
  status: Status,
  delayMs: Delay,
  skewMs: Skew,
  bytesPerSecond: Trickle,
  addField: AddField,
  enumValue: EnumValue,
};

const FaultRuleSchema = Type.Object(
  {
    operation: Type.Optional(
      Type.Enum([...anyOperationNames, DOWNLOAD], {
        description: 'Name of the operation; `download` is for the bytes of files. Absent: every one.',
      }),
    ),
    pathPattern: Type.Optional(
      Type.String({ format: 'regex', description: 'Regular expression that path and query must match.' }),
    ),
    nth: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Begins with the n-th request that fits, from 1; alone, only that one.',
      }),
    ),
    count: Type.Optional(Type.Integer({ minimum: 1, description: 'How many of the requests that fit it meets.' })),
    probability: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: 'Chance of each request that fits.' }),
    ),
    seed: Type.Optional(
      Type.Integer({ description: 'The same seed meets the same requests; absent, one is chosen and logged.' }),
    ),
    effect: Type.Union([Named, Status, Delay, Skew, Trickle, AddField, EnumValue]),
  },
  closed,
);

export type FaultRule = Static<typeof FaultRuleSchema>;
/** Rules in the order in which they are tried; delays and skews add up, of all other effects the first one counts. */
export type FaultPlan = FaultRule[];

/** The JSON schema of a file of faults, for editors; `config/faults.schema.json` is this. */
export function faultPlanSchema(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Faults of the embedded platform (docmirror platform --faults FILE)',
    ...Type.Array(FaultRuleSchema, {
      description: 'Rules are tried in this order; delays and skews add up, of all other effects the first one counts.',
    }),
  };
}

/** A fault plan read from JSON. Throws DM_CONFIG_INVALID that names the rule, the value seen and what is expected. */
export function readFaultPlan(value: unknown): FaultPlan {
  if (!Array.isArray(value)) throw wrong('it', value, 'a list of rules');
  const rules: unknown[] = value;
  return rules.map((rule, i) => readRule(rule, `rule ${i + 1}`));
}

function readRule(value: unknown, place: string): FaultRule {
  if (!isRecord(value)) throw wrong(place, value, 'an object');
  const { properties } = FaultRuleSchema;
  demandKnown(place, value, Object.keys(properties));
  demandEffect(`${place}, effect`, value['effect']);
  for (const [name, schema] of Object.entries(properties)) {
    if (value[name] !== undefined) demand(`${place}, ${name}`, schema, value[name]);
  }
  // Cannot fail any more; tells the compiler so.
  if (!Value.Check(FaultRuleSchema, value)) throw wrong(place, value, 'a rule');
  return value;
}

function demandEffect(place: string, effect: unknown): void {
  if (typeof effect === 'string') return demand(place, Named, effect);
  const key = isRecord(effect) ? Object.keys(EFFECTS).find((name) => name in effect) : undefined;
  const schema = key === undefined ? undefined : EFFECTS[key];
  if (!schema || !isRecord(effect)) {
    const objects = Object.keys(EFFECTS).join(', ');
    throw wrong(place, effect, `one of ${NAMED_EFFECTS.join(', ')}, or an object with one of ${objects}`);
  }
  const { properties } = schema as typeof Status;
  demandKnown(place, effect, Object.keys(properties));
  demand(place, schema, effect);
}

function demandKnown(place: string, value: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  const stranger = Object.keys(value).find((name) => !known.includes(name));
  if (stranger !== undefined) throw wrong(`${place}, ${stranger}`, value[stranger], `one of ${known.join(', ')}`);
}

function demand(place: string, schema: TSchema, value: unknown): void {
  if (Value.Check(schema, value)) return;
  const [first] = Value.Errors(schema, value);
  const inside = first?.instancePath.replaceAll('/', ', ') ?? '';
  throw wrong(`${place}${inside}`, value, first ? expectation(first) : 'something else');
}

// The names of all operations are too many to show.
const SHOWN_VALUES = 20;

function expectation(error: TLocalizedValidationError): string {
  if (error.keyword === 'format') return 'a regular expression';
  // Only headers have patterns: one for their names, which nothing else fits, and one for their values.
  if (error.keyword === 'boolean') return 'a name that a header can have';
  if (error.keyword === 'pattern') return 'characters that a header can hold';
  if (error.keyword !== 'enum') return error.message.replace(/^must be /, '');
  const { allowedValues } = error.params;
  const shown = allowedValues.slice(0, SHOWN_VALUES).map(String).join(', ');
  return `one of ${shown}${allowedValues.length > SHOWN_VALUES ? ', … (the names of operations)' : ''}`;
}

function wrong(place: string, seen: unknown, expected: string): AppError {
  return new AppError(
    'DM_CONFIG_INVALID',
    `The fault plan is wrong: ${place} is ${JSON.stringify(seen)}; expected ${expected}`,
    {
      hint: 'Correct it; config/faults.schema.json describes the file.',
    },
  );
}
