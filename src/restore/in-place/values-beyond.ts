// Values that spaces were given of custom fields, where the snapshot has none: no operation takes one away, they go with their field.
import { count, groupBy } from '../../base/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { hasValue, spaceOf, titleOf } from '../resource.ts';
import type { PreflightCheck } from '../types.ts';
import type { Mending } from './input.ts';

/** Names each space that keeps such a value, since the plan does not take the field away. */
export function addValuesBeyond(planning: Mending, added: readonly Resource[]): void {
  const { list, live, organization } = planning;
  const going = new Set(list.steps.filter(({ part }) => part === 'remove').map(({ kind, key }) => `${kind} ${key}`));
  const left = valuesIn(added).filter(({ id }) => !going.has(`custom-field ${organization}/${id}`));
  for (const [space, values] of groupBy(left, spaceOf)) {
    const holder = live.one('space', space);
    if (holder === undefined) continue;
    const of: Resource = { ...holder, kind: 'custom-field-value' };
    const title = titleOf(holder);
    for (const one of byField(values, planning)) list.addUnsupported(of, rowOf(one), title);
  }
}

/** Where nothing is to be taken away, how many stay; nothing of those whose fields are counted themselves. */
export function valuesLeft(added: readonly Resource[], was: Was): PreflightCheck[] {
  const fields = new Set(added.filter(({ kind }) => kind === 'custom-field').map(({ id }) => id));
  const left = valuesIn(added).filter(({ id }) => !fields.has(id));
  return byField(left, was).map((one) => ({ check: 'values added since', state: 'ok', detail: countOf(one) }));
}

export interface Was {
  readonly reader: SnapshotReader;
  readonly organization: string;
}

interface Beyond {
  readonly values: readonly Resource[];
  readonly names: readonly string[];
  /** True where the snapshot has the field, which stays with all that it was given. */
  readonly stays: boolean;
  readonly goes: string;
}

function valuesIn(added: readonly Resource[]): Resource[] {
  return added.filter((one) => one.kind === 'custom-field-value' && hasValue(one));
}

/** Those of fields that the snapshot does not have apart from those of fields that it has. */
function byField(all: readonly Resource[], { reader, organization }: Was): Beyond[] {
  const isThere = ({ id }: Resource): boolean => reader.one('custom-field', `${organization}/${id}`) !== undefined;
  const goes = `by \`--scope organization:${organization} --delete\``;
  return [...groupBy(all, isThere)].map(([stays, values]) => {
    const names = [...new Set(values.map(({ id }) => id))];
    return { values, names, stays, goes };
  });
}

function rowOf({ names, stays, goes }: Beyond): string {
  if (stays) return `${names.join(', ')} had no value then, and no operation takes one away again`;
  return `${names.join(', ')}: ${notThere(names)}. A value goes only with its field, ${goes}`;
}

function countOf({ values, names, stays, goes }: Beyond): string {
  const left = `${count(values.length, 'value')} of ${names.join(', ')}: left`;
  if (stays) return `${left}; there was none then, and no operation takes one away again`;
  return `${left}; ${notThere(names)}, and only with it goes its value, ${goes}`;
}

function notThere({ length }: readonly string[]): string {
  return `the snapshot does not have ${length === 1 ? 'that field' : 'these fields'}`;
}
