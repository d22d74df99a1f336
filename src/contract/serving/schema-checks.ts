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

const ALTERNATIVE = /^(.*?\/anyOf\/)(\d+)/;

/** The first error; where there is a choice, of the alternative that was most likely meant: whose fields are there, and are right. */
function foremost(errors: readonly TLocalizedValidationError[]): TLocalizedValidationError | undefined {
  const [first] = errors;
  const [, choice] = ALTERNATIVE.exec(first?.schemaPath ?? '') ?? [];
  if (choice === undefined) return first;
  const alternatives = new Map<string, TLocalizedValidationError[]>();
  for (const error of errors) {
    const [root, from] = ALTERNATIVE.exec(error.schemaPath) ?? [];
    if (root === undefined || from !== choice) continue;
    alternatives.set(root, [...(alternatives.get(root) ?? []), error]);
  }
  const lacks = ([root, found]: [string, TLocalizedValidationError[]]): number =>
    found.some(({ keyword, schemaPath }) => keyword === 'required' && schemaPath === root) ? 1 : 0;
  const ranked = [...alternatives].toSorted((a, b) => lacks(a) - lacks(b) || a[1].length - b[1].length);
  return ranked[0]?.[1][0] ?? first;
}

function describe(errors: readonly TLocalizedValidationError[]): Refusal {
  const first = foremost(errors);
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
