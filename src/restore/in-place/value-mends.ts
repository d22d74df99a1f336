// Values of custom fields: all that a space gets back in one write, and those that stay since no operation takes one away.
import { canonicalJson, count, groupBy } from '../../base/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { CHANGED_SINCE } from '../journal/later-restores.ts';
import { hasValue, spaceOf, titleOf } from '../resource.ts';
import type { Choices, FieldMend, Mend, PreflightCheck } from '../types.ts';
import { isChangedSince } from './left-by-undo.ts';
import type { Divergence } from './divergence.ts';
import { AWAY, isAway, transferAbove, transferOf, transferredSpaces } from './transfers.ts';
import { optionsFirst } from './values-in-doubt.ts';
import type { Mending } from './input.ts';

/** Values of custom fields, by space. */
export function addValueMends(planning: Mending, divergence: Divergence, choices: Choices): void {
  const bySpace = new Map([...valuesToSet(divergence, choices), ...valuesLeftBehind(planning)]);
  for (const [space, fields] of bySpace) {
    const container = planning.live.one('space', space);
    if (container) addValueMend(planning, container, fields);
  }
  addValuesOfUndeleted(planning);
}

/** A space comes out of the bin without the values of fields that were deleted meanwhile, and are made anew. */
function addValuesOfUndeleted(planning: Mending): void {
  const { list, reader, live, organization } = planning;
  const isLost = ({ id }: Resource): boolean => list.creatorOf('custom-field', `${organization}/${id}`) !== undefined;
  for (const { part, key } of list.steps) {
    const space = part === 'undelete' && !live.one('space', key) ? reader.one('space', key) : undefined;
    if (space === undefined) continue;
    const lost = [...reader.resources('custom-field-value', key)].filter((one) => hasValue(one) && isLost(one));
    addValueMend(
      planning,
      space,
      lost.map(({ id, body }) => ({ field: id, from: null, to: body['value'] ?? null })),
    );
  }
}

/** All values of the spaces that the plan transfers: those that they have stand in fields of the organization which they leave. */
function* valuesLeftBehind({ list, reader, live }: Mending): Iterable<[string, FieldMend[]]> {
  for (const { key } of transferredSpaces(list, live)) {
    const wanted = [...reader.resources('custom-field-value', key)].filter(hasValue);
    const fields = wanted.map((one): FieldMend => {
      const from = live.one(one.kind, one.key)?.body['value'] ?? null;
      return { field: one.id, from, to: one.body['value'] ?? null };
    });
    yield [key, fields];
  }
}

/** What is to be set, by the id of its space; null where there was no value. */
function valuesToSet({ missing, changed }: Divergence, choices: Choices): Map<string, FieldMend[]> {
  const bySpace = new Map<string, FieldMend[]>();
  const note = (value: Resource, from: unknown, to: unknown): void => {
    const [space, field] = [spaceOf(value), value.id];
    if (canonicalJson(from ?? null) === canonicalJson(to ?? null)) return;
    bySpace.set(space, [...(bySpace.get(space) ?? []), { field, from: from ?? null, to: to ?? null }]);
  };
  const mine = ({ kind }: Resource): boolean => kind === 'custom-field-value';
  if (choices.missing) for (const one of missing.filter(mine)) note(one, null, one.body['value']);
  if (choices.changed)
    for (const { wanted, live } of changed) if (mine(wanted)) note(wanted, live.body['value'], wanted.body['value']);
  return bySpace;
}

function addValueMend(planning: Mending, space: Resource, all: readonly FieldMend[]): void {
  const { list } = planning;
  const of: Resource = { ...space, kind: 'custom-field-value' };
  const title = titleOf(space);
  if (isAway(planning, space.key)) return list.addUnsupported(of, AWAY, title);
  const own = planning.within({ kind: of.kind, id: space.id });
  const changed = new Set(all.filter((mend) => isChangedSince(mend, { own, forms: (value) => [value] })));
  for (const { field } of changed) list.addUnsupported(of, `its value of ${field}: ${CHANGED_SINCE}`, title);
  const ours = all.filter((mend) => !changed.has(mend));
  const stay = ours.filter(({ to }) => to === null).map(({ field }) => field);
  if (stay.length > 0) {
    const note = `${stay.join(', ')} had no value then, and no operation takes one away again`;
    list.addUnsupported(of, note, title);
  }
  const fields = ours.filter(({ to }) => to !== null);
  if (fields.length === 0) return;
  const note = `values of ${fields.map(({ field }) => field).join(', ')}`;
  const mend: Mend = { expects: null, fields };
  const needs = [list.creatorOf('space', space.key), transferOf(list, space) ?? transferAbove(planning, space)];
  const linksTo = fields.map((one) => fieldReady(planning, one));
  list.add({ part: 'fields', of, title, note, mend, needs, linksTo, requests: 3 });
}

/** The step that makes the field of a value, or gives it the option back: the platform takes no such value before. */
function fieldReady({ list, live, organization }: Mending, { field, to }: FieldMend): number | undefined {
  const key = `${organization}/${field}`;
  return list.creatorOf('custom-field', key) ?? optionsFirst(list.steps, live.one('custom-field', key), to);
}

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
