import { createSchemaChecks, type SchemaCheckOptions, type SchemaChecks } from '../contract/index.ts';
import { createSpecCheck, type SpecCheck } from './openapi/read-spec.ts';

/** What a platform holds requests, its own answers and specifications against. Each part is compiled at its first use. */
export interface PlatformChecks {
  readonly schemas: SchemaChecks;
  readonly isValidSpec: SpecCheck;
}

/** Platforms of one process may share these: compiling them anew is much of what a small platform costs. */
export function createPlatformChecks(options: SchemaCheckOptions = {}): PlatformChecks {
  return { schemas: createSchemaChecks(options), isValidSpec: createSpecCheck() };
}
