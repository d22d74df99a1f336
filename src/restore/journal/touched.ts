// What a restore has written, by names under which it is found again on the target.
import type { KindName } from '../../contract/index.ts';
import type { Resource, RestoreStep } from '../../mirror/index.ts';
import { SITE_DEFAULTS } from '../in-place/site-defaults.ts';
import { firstOf, lastOf } from '../resource.ts';
import type { Plan, PlanStep } from '../types.ts';
import { idMapOf, type IdMap } from './id-map.ts';
import { detailOf } from './step-detail.ts';

/** Kinds of which others may have the same id: values of a field in every space, a page in its space and in each change request, and in a copy. */
const SHARED_IDS: ReadonlySet<string> = new Set<KindName>([
  'page',
  'file',
  'custom-field-value',
  'change-request-page',
  'change-request-file',
]);

type OwnKind = 'site' | 'site-section' | 'site-space' | 'change-request';

type Named = Pick<Resource, 'kind' | 'id' | 'key'>;

/** Names of what was written, as nothing else on the target has them. */
class Touched {
  readonly #names = new Set<string>();

  has({ kind, id, key }: Named): boolean {
    return this.#names.has(SHARED_IDS.has(kind) ? `${kind} ${key}` : `${kind} ${id}`);
  }

  hasOwn({ kind, id }: { readonly kind: OwnKind; readonly id: string }): boolean {
    return this.#names.has(`${kind} ${id}`);
  }

  /** @param holder Key, on the target, of what holds it; matters for ids that others may have, too. */
  add(kind: string, id: string, holder: string): void {
    this.#names.add(SHARED_IDS.has(kind) ? `${kind} ${holder}/${id}` : `${kind} ${id}`);
  }

  /** Of a kind whose ids nothing else has. */
  addOwn(kind: OwnKind, id: string): void {
    this.add(kind, id, '');
  }

  /** Of such a kind, too. */
  leave(kind: string, id: string): void {
    this.#names.delete(`${kind} ${id}`);
  }
}

/** All that the steps wrote which were begun; what came with something else goes with that. */
export function touchedBy(steps: readonly RestoreStep[], plan: Plan): Touched {
  const begun = new Map(steps.map((step) => [step.step, step]));
  const ids = idMapOf(plan, steps);
  const touched = new Touched();
  for (const step of plan.steps) {
    const entry = begun.get(step.step);
    if (!entry) continue;
    const { kind, key } = step;
    const holder = holderOn(ids, kind, key);
    const { untouched, editedAt = {} } = detailOf(entry);
    const page = kind === 'change-request-revision' ? 'change-request-page' : 'page';
    for (const id of [...writtenPages(step, untouched), ...Object.keys(editedAt)]) touched.add(page, id, holder);
    touched.add(kind, ids.get(kind, key) ?? lastOf(key), holder);
    if (kind === 'custom-field-value')
      for (const { field } of step.mend?.fields ?? []) touched.add(kind, field, holder);
    for (const [one, id] of partsOpenedWith(step)) touched.add(one, id, holder);
    for (const [one, map] of Object.entries(detailOf(entry).map ?? {}))
      for (const [original, id] of Object.entries(map)) touched.add(one, id, holderOn(ids, one, original));
  }
  for (const { kind, key, new_id: id } of steps) if (id !== null) touched.add(kind, id, holderOn(ids, kind, key));
  for (const step of steps)
    if (step.new_id !== null && detailOf(step).isFound === true) touched.leave(step.kind, step.new_id);
  return touched;
}

/** By the key of the original: the space, or the change request, that holds it now. */
function holderOn(ids: IdMap, kind: string, key: string): string {
  const own = firstOf(key);
  const space = ids.get('space', own) ?? own;
  if (!kind.startsWith('change-request')) return space;
  const [, request = ''] = key.split('/');
  return `${space}/${ids.get('change-request', `${own}/${request}`) ?? request}`;
}

/** Pages that stood and were set back, taken away or relinked; those that were brought back are in the journal's map. */
function writtenPages({ pages }: PlanStep, untouched: readonly string[] = []): string[] {
  const { changed = [], added = [], links = [] } = pages ?? {};
  return [...changed, ...added, ...links].map(({ id }) => id).filter((id) => !untouched.includes(id));
}

/** The platform tells of the parts of a site what it opens with. */
function partsOpenedWith({ part, mend }: PlanStep): [string, string][] {
  const kinds: Readonly<Record<string, string>> = SITE_DEFAULTS;
  if (part !== 'defaults') return [];
  return (mend?.fields ?? []).flatMap(({ field, from, to }) =>
    [from, to].flatMap((id): [string, string][] => {
      const kind = kinds[field];
      return typeof id === 'string' && kind !== undefined ? [[kind, id]] : [];
    }),
  );
}

/** Fields that name what the same restore may have made anew. */
const NAMES: Readonly<Record<string, KindName>> = { parent: 'collection', defaultTeam: 'team' };

/** What goes to another organization leaves its collection. */
const OUTSIDE = [['parent', null]] as const;

/** The fields that a restore wrote of something that stood, and with what, by the ids that this has now; null where it wrote all of it, or nothing tells which. */
export type FieldsWritten = (resource: Pick<Resource, 'kind' | 'id'>) => ReadonlyMap<string, unknown> | null;

export function fieldsWrittenBy(steps: readonly RestoreStep[], plan: Plan): FieldsWritten {
  const begun = new Map(steps.map((step) => [step.step, step]));
  const ids = idMapOf(plan, steps);
  const known = new Map<string, ReadonlyMap<string, unknown> | null>();
  const asWritten = (field: string, to: unknown): unknown => {
    const named = NAMES[field];
    return named === undefined || typeof to !== 'string' ? to : (ids.byId(named, to) ?? to);
  };
  for (const planned of plan.steps) {
    const { step, kind, key, action, part, mend } = planned;
    const entry = begun.get(step);
    if (entry === undefined) continue;
    for (const [one, id] of partsOpenedWith(planned))
      if (!known.has(`${one} ${id}`)) known.set(`${one} ${id}`, new Map());
    const name = `${kind} ${ids.get(kind, key) ?? lastOf(key)}`;
    const before = known.get(name);
    const placed = placedBy(planned);
    const isWhole = action !== 'update' || (mend === undefined && placed === null) || before === null;
    const { refusedFields = [] } = detailOf(entry);
    const fields = mend?.fields.filter(({ field }) => !refusedFields.includes(field)) ?? [];
    const wrote = fields.map(({ field, to }) => [field, asWritten(field, to)] as const);
    const besides = part === 'transfer' ? OUTSIDE : (placed ?? []);
    known.set(name, isWhole ? null : new Map([...(before ?? []), ...besides, ...wrote]));
  }
  return ({ kind, id }) => known.get(`${kind} ${id}`) ?? null;
}

/** What a step writes that does no more than to place something; null of any other. Into which group a section goes is not in the plan. */
function placedBy({ kind, part }: PlanStep): readonly (readonly [string, unknown])[] | null {
  if (part === 'order') return [];
  return kind === 'site-section' && part === 'state' ? [['sectionGroup', undefined]] : null;
}

/** With sections that groups of the restore took in as these were made, of which no step of theirs tells. */
export function withGrouped(wrote: FieldsWritten, grouped: readonly Resource[]): FieldsWritten {
  const groups = new Map(grouped.map(({ kind, id, body }) => [`${kind} ${id}`, body['sectionGroup']]));
  return (resource) => {
    const group = groups.get(`${resource.kind} ${resource.id}`);
    const own = wrote(resource);
    return group === undefined ? own : new Map([...(own ?? []), ['sectionGroup', group]]);
  };
}
