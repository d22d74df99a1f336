// Values that spaces were given of custom fields that the snapshot does not have: no operation takes one away, they go with their field.
import { count, groupBy } from '../../base/index.ts';
import type { Resource } from '../../mirror/index.ts';
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
    const fields = values.map(({ id }) => id);
    const note = `${fields.join(', ')}: ${notThere(fields)}. A value goes only with its field, by \`--scope organization:${organization} --delete\``;
    list.addIdle('unsupported', { ...holder, kind: 'custom-field-value' }, { note, title: titleOf(holder) });
  }
}

/** Where nothing is to be taken away, how many stay; nothing of those whose fields are counted themselves. */
export function valuesLeft(added: readonly Resource[], organization: string): PreflightCheck[] {
  const fields = new Set(added.filter(({ kind }) => kind === 'custom-field').map(({ id }) => id));
  const left = valuesIn(added).filter(({ id }) => !fields.has(id));
  if (left.length === 0) return [];
  const names = [...new Set(left.map(({ id }) => id))];
  const detail = `${count(left.length, 'value')} of ${names.join(', ')}: left; ${notThere(names)}, and only with it goes its value, by \`--scope organization:${organization} --delete\``;
  return [{ check: 'values added since', state: 'ok', detail }];
}

function valuesIn(added: readonly Resource[]): Resource[] {
  return added.filter((one) => one.kind === 'custom-field-value' && hasValue(one));
}

function notThere({ length }: readonly string[]): string {
  return `the snapshot does not have ${length === 1 ? 'that field' : 'these fields'}`;
}
