// Faults on demand, as data: which requests they meet, and what happens to those.
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { AppError } from '../../base/index.ts';

const StatusEffect = Type.Object({
  status: Type.Integer({ minimum: 200, maximum: 599 }),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  /** JSON, or text as it is. */
  body: Type.Optional(Type.Unknown()),
});
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

const FaultRuleSchema = Type.Object(
  {
    /** Name of the operation; `download` for the second origin. Absent: every one. */
    operation: Type.Optional(Type.String()),
    /** Regular expression that the path and query must match. */
    pathPattern: Type.Optional(Type.String()),
    /** Begins with the n-th matching request, counted from 1; alone it means that one only. */
    nth: Type.Optional(Type.Integer({ minimum: 1 })),
    /** How many matching requests it meets. */
    count: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Chance for each matching request, 0 to 1; the same seed gives the same requests. */
    probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    seed: Type.Optional(Type.Integer()),
    effect: Type.Union([
      StatusEffect,
      Type.Object({ delayMs: Type.Number({ minimum: 0 }) }, { additionalProperties: false }),
      Type.Enum([...NAMED_EFFECTS]),
    ]),
  },
  { additionalProperties: false },
);
const FaultPlanSchema = Type.Array(FaultRuleSchema);

export type FaultRule = Static<typeof FaultRuleSchema>;
/** Rules in the order in which they are tried; delays add up, of all other effects the first one counts. */
export type FaultPlan = FaultRule[];

/** A fault plan read from JSON. Throws DM_CONFIG_INVALID that names the rule and what is wrong with it. */
export function readFaultPlan(value: unknown): FaultPlan {
  if (Value.Check(FaultPlanSchema, value)) return value;
  const [first] = Value.Errors(FaultPlanSchema, value);
  throw new AppError(
    'DM_CONFIG_INVALID',
    `The fault plan is wrong at ${first?.instancePath ?? '/'}: ${first?.message}`,
    {
      hint: 'It is a JSON list of {operation?, pathPattern?, nth?, count?, probability?, seed?, effect}.',
    },
  );
}
