// Options that were taken from a custom field while spaces still hold them: such a value stays, and cannot be set any more.
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import type { PlanStep } from '../types.ts';

type Step = Pick<PlanStep, 'kind' | 'part' | 'key'>;

/** True for a step that gives a space, whose key it has, its values. */
export function writesValues({ kind, part }: Step): boolean {
  return kind === 'custom-field-value' && (part === 'values' || part === 'fields');
}

/** What the spaces of these steps hold of a field and is not among its options, each once. */
export function retiredOptions(reader: SnapshotReader, field: Resource, values: readonly Step[]): string[] {
  const options: unknown = field.body['options'];
  if (!Array.isArray(options)) return [];
  const known = new Set<unknown>(options);
  const all = values.flatMap(({ key }) => [...reader.resources('custom-field-value', key)]);
  const held: unknown[] = all.filter(({ id }) => id === field.id).flatMap(({ body }) => body['value']);
  return [...new Set(held.filter((value) => typeof value === 'string'))].filter((value) => !known.has(value));
}
