// Options that were taken from a custom field while spaces still hold them: such a value stays, and cannot be set any more.
import { LONGEST_OPTION, MOST_OPTIONS, type CustomField } from '../../contract/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import type { PlanStep } from '../types.ts';

type Step = Pick<PlanStep, 'kind' | 'part' | 'key'>;

/** True for a step that gives a space, whose key it has, its values. */
export function writesValues({ kind, part }: Step): boolean {
  return kind === 'custom-field-value' && (part === 'values' || part === 'fields');
}

// A value of these is none of the options, whatever the field has of them.
const WRITTEN: ReadonlySet<unknown> = new Set(['text', 'number', 'boolean'] satisfies CustomField['type'][]);

/** What the spaces of these steps hold of a field and is not among its options, each once: as many as a field can have beside its own. */
export function retiredOptions(reader: SnapshotReader, field: Resource, values: readonly Step[]): string[] {
  const { options, type } = field.body;
  if (!Array.isArray(options) || WRITTEN.has(type)) return [];
  const known = new Set<unknown>(options);
  const all = values.flatMap(({ key }) => [...reader.resources('custom-field-value', key)]);
  const held: unknown[] = all.filter(({ id }) => id === field.id).flatMap(({ body }) => body['value']);
  const retired = [...new Set(held.filter(isOption))].filter((value) => !known.has(value));
  return retired.slice(0, Math.max(0, MOST_OPTIONS - options.length));
}

/** What can have been one. */
function isOption(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && Array.from(value).length <= LONGEST_OPTION;
}
