// What a column of a view holds, in words, from the schema of its field.
import { isRecord } from '../../base/index.ts';
import { kindOf, type KindName } from '../../contract/index.ts';

/** The field by its name in the API, what it names, and its type or its documented values. */
export function fieldNote(name: KindName, field: string, schema: unknown): string {
  const refs: Readonly<Record<string, string>> = kindOf(name).refs ?? {};
  const target = refs[field];
  if (target !== undefined) return `${field}: id of its ${target}`;
  return `${field}: ${typeNote(schema)}`;
}

function typeNote(schema: unknown): string {
  if (!isRecord(schema)) return 'as sent';
  if (Array.isArray(schema['enum'])) return schema['enum'].map(String).join(', ');
  if (Array.isArray(schema['anyOf'])) return unionNote(schema['anyOf']);
  if (schema['const'] !== undefined) return `always ${JSON.stringify(schema['const'])}`;
  switch (schema['type']) {
    case 'string':
      return schema['format'] === 'date-time' ? 'time, ISO 8601' : 'text';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return '1 or 0';
    case 'array':
      return 'list, as JSON';
    default:
      return 'object, as JSON';
  }
}

function unionNote(members: readonly unknown[]): string {
  const notes = members.map((one) => (isRecord(one) && one['type'] === 'null' ? 'null' : typeNote(one)));
  return [...new Set(notes)].join(' or ');
}
