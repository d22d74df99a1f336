import { Compile, type Validator } from 'typebox/compile';
import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { invalid, type Refusal } from './refusal.ts';

/** Checks values against schemas, each compiled once, at its first use. */
export interface SchemaChecks {
  /** Throws a Refusal (400) that names the field which is wrong and says how. */
  demand(schema: TSchema, value: unknown): void;
  /** What is wrong, as `field: problem`; null when nothing is. */
  problem(schema: TSchema, value: unknown): string | null;
}

export function createSchemaChecks(): SchemaChecks {
  const compiled = new Map<TSchema, Validator>();
  const compile = (schema: TSchema): Validator => {
    let found = compiled.get(schema);
    if (!found) compiled.set(schema, (found = Compile(schema)));
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

function describe(errors: readonly TLocalizedValidationError[]): Refusal {
  const [first] = errors;
  if (!first) return invalid('body', 'is not valid');
  if (first.keyword === 'required') {
    const [missing = ''] = first.params.requiredProperties;
    return invalid(join(first.instancePath, missing), 'is required');
  }
  const field = join(first.instancePath);
  if (first.keyword === 'enum') {
    return invalid(field, `must be one of ${first.params.allowedValues.map(String).join(', ')}`);
  }
  return invalid(field, first.message);
}

function join(pointer: string, name = ''): string {
  return [...pointer.split('/').filter((part) => part !== ''), name].filter((part) => part !== '').join('/') || 'body';
}
