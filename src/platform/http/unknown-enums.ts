import { isRecord } from '../../base/index.ts';
import { allOperations, operationOf, type AnyOperationName } from '../../contract/index.ts';
import type { Effect } from './fault-injector.ts';

type EnumEffect = Extract<Effect, { enumValue: string }>;
type Schema = Readonly<Record<string, unknown>>;

/** Where a value stands: its schema, the field that holds it, and the named schemas that references lead to. */
interface Place {
  readonly schema: Schema;
  readonly field: string;
  readonly defs: Schema;
}

/** The answer of the operation with the value in its enumerations, all of them or those that the effect names. */
export function withEnumValue(body: unknown, operation: string | null, effect: EnumEffect): unknown {
  if (operation === null || !Object.hasOwn(allOperations, operation)) return body;
  const { response } = operationOf(operation as AnyOperationName);
  return isRecord(response) ? replaced(body, { schema: response, field: '', defs: {} }, effect) : body;
}

function replaced(value: unknown, place: Place, effect: EnumEffect): unknown {
  const { schema, field, defs } = resolve(place);
  const alternatives = schema['anyOf'];
  if (Array.isArray(alternatives)) {
    const fitting: unknown = alternatives.find(
      (one) => isRecord(one) && fits(value, resolve({ schema: one, field, defs }).schema),
    );
    return isRecord(fitting) ? replaced(value, { schema: fitting, field, defs }, effect) : value;
  }
  if (typeof value === 'string') {
    const isMeant = effect.fields === undefined || effect.fields.includes(field);
    return Array.isArray(schema['enum']) && isMeant ? effect.enumValue : value;
  }
  const { items, properties } = schema;
  if (Array.isArray(value)) {
    return isRecord(items) ? value.map((one) => replaced(one, { schema: items, field, defs }, effect)) : value;
  }
  if (!isRecord(value) || !isRecord(properties)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => {
      const own = properties[name];
      return [name, isRecord(own) ? replaced(inside, { schema: own, field: name, defs }, effect) : inside];
    }),
  );
}

function resolve({ schema, field, defs }: Place): Place {
  const known = isRecord(schema['$defs']) ? { ...defs, ...schema['$defs'] } : defs;
  const named = typeof schema['$ref'] === 'string' ? known[schema['$ref']] : undefined;
  return isRecord(named) ? resolve({ schema: named, field, defs: known }) : { schema, field, defs: known };
}

/** True for the alternative that the value is of; constants such as `object` and `kind` tell alternatives apart. */
function fits(value: unknown, schema: Schema): boolean {
  if (typeof value === 'string') return Array.isArray(schema['enum']) || schema['const'] === value;
  if (!isRecord(value)) return Array.isArray(value) && schema['type'] === 'array';
  const { properties } = schema;
  if (!isRecord(properties)) return false;
  return Object.entries(properties).every(
    ([name, own]) => !isRecord(own) || !('const' in own) || own['const'] === value[name],
  );
}
