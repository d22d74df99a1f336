import { createSchemaChecks, type SchemaCheckOptions, type SchemaChecks } from '../contract/index.ts';
import { createSpecCheck, type SpecCheck } from './openapi/read-spec.ts';

/** What a platform holds requests, its own answers and specifications against. Each part is compiled at its first use. */
export interface PlatformChecks {
  readonly schemas: SchemaChecks;
  /** For what is stored and shown, which alone may hold values that the contract does not list: a query asks for what there is. */
  readonly contents: SchemaChecks;
  readonly isValidSpec: SpecCheck;
}

/** Platforms of one process may share these: compiling them anew is much of what a small platform costs. */
export function createPlatformChecks(options: SchemaCheckOptions = {}): PlatformChecks {
  const schemas = createSchemaChecks();
  const contents = options.takesUnknownValues === true ? createSchemaChecks(options) : schemas;
  return { schemas, contents, isValidSpec: createSpecCheck() };
}
