// A specification as text, understood: JSON or YAML, and valid by the schema of the version that it names.
import { Validator } from '@seriousme/openapi-schema-validator';
import { isRecord } from '../../base/index.ts';
import { readYaml } from '../read-yaml.ts';

export type SpecDocument = Record<string, unknown>;

const AS_YAML = { maxAliases: 1000, isLenient: false } as const;

/** The document; undefined when the text is neither JSON nor YAML or holds no object. */
export function parseSpec(text: string): SpecDocument | undefined {
  try {
    const value: unknown = text.trimStart().startsWith('{') ? JSON.parse(text) : readYaml(text, AS_YAML);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** True for OpenAPI 2.0 to 3.2 that holds to its schema and whose inner references lead somewhere. */
export type SpecCheck = (document: SpecDocument) => Promise<boolean>;

/** Compiles the schema of a version of OpenAPI once, which takes a thousand times as long as to check a small specification. */
export function createSpecCheck(): SpecCheck {
  const validator = new Validator();
  return async (document) => {
    try {
      // The validator changes what it is given.
      const { valid } = await validator.validate(structuredClone(document));
      return valid;
    } catch (error) {
      // Nested so deep that nothing which goes down into it comes back.
      if (error instanceof RangeError) return false;
      throw error;
    }
  };
}

/** What the file of a specification is called. */
export function specFileName(text: string): string {
  return text.trimStart().startsWith('{') ? 'openapi.json' : 'openapi.yaml';
}
