import { Compile, type Validator } from 'typebox/compile';
import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { isObject } from '../kinds/fields.ts';
import { invalid, type Refusal } from './refusal.ts';

/** Checks values against schemas, each compiled once, at its first use. */
export interface SchemaChecks {
  /** Throws a Refusal (400) that names the field which is wrong and says how. */
  demand(schema: TSchema, value: unknown): void;
  /** What is wrong, as `field: problem`; null when nothing is. */
  problem(schema: TSchema, value: unknown): string | null;
}

export interface SchemaCheckOptions {
  /** Any text may stand where the contract lists some or bounds its length: as on a platform that is newer than the contract. */
  readonly takesUnknownValues?: boolean;
}

export function createSchemaChecks({ takesUnknownValues = false }: SchemaCheckOptions = {}): SchemaChecks {
  const compiled = new Map<TSchema, Validator>();
  const compile = (schema: TSchema): Validator => {
    let found = compiled.get(schema);
    if (!found) compiled.set(schema, (found = Compile(takesUnknownValues ? withAnyText(schema) : schema)));
    return found;
  };
  const refusal = (schema: TSchema, value: unknown): Refusal | null => {
    const validator = compile(schema);
    return validator.Check(value) ? null : describe([...validator.Errors(value)]);
  };
  return {
    problem: (schema, value) => refusal(schema, value)?.message ?? null,
    demand: (schema, value) => {
      const found = refusal(schema, value);
      if (found) throw found;
    },
  };
}

/** The schema without its lists of texts and the bounds of their lengths. Constants stay: they tell apart what has other fields. */
function withAnyText<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(withAnyText) as T;
  if (!isObject(schema)) return schema;
  if (typeof schema['maxLength'] === 'number') {
    const { minLength: _least, maxLength: _most, ...others } = schema;
    return others as T;
  }
  const { enum: texts, ...others } = schema;
  if (Array.isArray(texts) && texts.every((one) => typeof one === 'string')) return { ...others, type: 'string' } as T;
  return Object.fromEntries(Object.entries(schema).map(([name, inner]) => [name, withAnyText(inner)])) as T;
}

const ALTERNATIVE = /^(.*?\/anyOf\/)(\d+)/;

type SchemaError = TLocalizedValidationError;

/** The first error; where there is a choice, of the alternative that was most likely meant: of its kind, with its fields, and right. */
function foremost(errors: readonly SchemaError[]): SchemaError | undefined {
  const [first] = errors;
  const [, choice] = ALTERNATIVE.exec(first?.schemaPath ?? '') ?? [];
  if (choice === undefined) return first;
  const alternatives = new Map<string, SchemaError[]>();
  for (const error of errors) {
    const [root, from] = ALTERNATIVE.exec(error.schemaPath) ?? [];
    if (root === undefined || from !== choice) continue;
    alternatives.set(root, [...(alternatives.get(root) ?? []), error]);
  }
  const ranked = [...alternatives].toSorted(([a, inA], [b, inB]) => unlikeness(a, inA) - unlikeness(b, inB));
  const [root = '', likely = []] = ranked[0] ?? [];
  return likely.find((error) => isOtherKind(error, root)) ?? likely[0] ?? first;
}

/** The field that names the kind of an object names another one. */
function isOtherKind({ keyword, schemaPath }: SchemaError, root: string): boolean {
  return (
    keyword === 'const' &&
    schemaPath.startsWith(`${root}/properties/`) &&
    !/\/properties\/.*\//.test(schemaPath.slice(root.length))
  );
}

const OTHER_TYPE = 1_000_000;
const OTHER_KIND = 100_000;
const LACKS_FIELD = 10_000;

/** The type of the value says most, then a field that names the kind, then a field that is missing, then how much is wrong. */
function unlikeness(root: string, errors: readonly SchemaError[]): number {
  const atRoot = (wanted: SchemaError['keyword']): boolean =>
    errors.some(({ keyword, schemaPath }) => keyword === wanted && schemaPath === root);
  const isOther = errors.some((error) => isOtherKind(error, root));
  return (
    (atRoot('type') ? OTHER_TYPE : 0) +
    (isOther ? OTHER_KIND : 0) +
    (atRoot('required') ? LACKS_FIELD : 0) +
    errors.length
  );
}

function describe(errors: readonly SchemaError[]): Refusal {
  const first = foremost(errors);
  if (!first) return invalid('body', 'is not valid');
  if (first.keyword === 'required') {
    const [missing = ''] = first.params.requiredProperties;
    return invalid(join(first.instancePath, missing), 'is required');
  }
  const field = join(first.instancePath);
  if (first.keyword === 'enum') return invalid(field, oneOf(first.params.allowedValues));
  if (first.keyword === 'const') return invalid(field, oneOf(constantsAt(errors, first.instancePath)));
  return invalid(field, first.message);
}

/** What the alternatives have there. */
function constantsAt(errors: readonly SchemaError[], place: string): unknown[] {
  const found = errors.flatMap((error) =>
    error.keyword === 'const' && error.instancePath === place ? [error.params.allowedValue] : [],
  );
  return [...new Set(found)];
}

function oneOf(values: readonly unknown[]): string {
  return values.length === 1 ? `must be ${String(values[0])}` : `must be one of ${values.map(String).join(', ')}`;
}

function join(pointer: string, name = ''): string {
  return [...pointer.split('/').filter((part) => part !== ''), name].filter((part) => part !== '').join('/') || 'body';
}
