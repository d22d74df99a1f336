// In place, a list of parts (the places of a section, the sections of a group) holds what others have put there as well, and lacks what
// nobody asked to bring back: what the plan does not touch is no difference.
import { kindOf, type KindName } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { idAt, idsAt, keyAbove, lastOf } from '../resource.ts';
import type { Plan } from '../types.ts';
import type { Values } from './values.ts';
import type { Sides } from './sides.ts';

interface Compared {
  readonly wanted: Values;
  readonly got: Values;
}

/** Both sides of what holds parts, without those that only one side has and the plan has left to others. */
export function withoutOthersParts(sides: Sides, resource: Resource, { wanted, got }: Compared): Compared {
  const { live } = sides;
  if (live === null) return { wanted, got };
  const lists = Object.entries(kindOf(resource.kind).embeds ?? {}).flatMap(([field, of]) => {
    const [was, is]: unknown[] = [wanted[field], got[field]];
    if (!Array.isArray(was) || !Array.isArray(is)) return [];
    const stood = idsAt(live.one(resource.kind, resource.key)?.body[field]);
    const isOwn = (id: string): boolean => isWritten(sides, { kind: of as KindName, site: keyAbove(resource.key), id });
    const [before, now] = [idsAt(was), idsAt(is)];
    const comes = (id: string): boolean => now.includes(id) || stood.includes(id) || isOwn(id);
    const stays = (id: string): boolean => before.includes(id) || isOwn(id);
    const only = (list: unknown[], counts: (id: string) => boolean): unknown[] =>
      list.filter((one) => counts(idAt(one) ?? ''));
    return [[field, { was: only(was, comes), is: only(is, stays) }] as const];
  });
  const sideOf = (side: 'was' | 'is'): Values => Object.fromEntries(lists.map(([field, both]) => [field, both[side]]));
  return { wanted: { ...wanted, ...sideOf('was') }, got: { ...got, ...sideOf('is') } };
}

interface PartOf {
  readonly kind: KindName;
  /** Key of the site that it is of. */
  readonly site: string;
  readonly id: string;
}

/** True for what the plan brings, sets back or takes away; a place comes and goes with its space, too. */
function isWritten({ plan, original, restored, ids, live }: Sides, { kind, site, id }: PartOf): boolean {
  const known = [restored, live, original].map((side) => side?.one(kind, `${site}/${id}`));
  const spaces = known.map((one) => idAt(one?.body['space']));
  return plan.steps.some((step) => {
    if (step.part === 'none') return false;
    if (step.kind === kind) return lastOf(step.key) === id || ids.get(kind, step.key) === id;
    return step.kind === 'space' && COMES_OR_GOES.has(step.part) && spaces.includes(lastOf(step.key));
  });
}

const COMES_OR_GOES: ReadonlySet<Plan['steps'][number]['part']> = new Set(['create', 'undelete', 'remove'] as const);
