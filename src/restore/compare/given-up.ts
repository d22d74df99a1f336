// What the plan says cannot come back is missed by nothing that listed it.
import { isRecord } from '../../base/index.ts';
import { kindOf, type KindName } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { idAt, keyAbove, lastOf } from '../resource.ts';
import { defaultAmong } from '../special/site-order.ts';
import type { Plan } from '../types.ts';
import type { Sides } from './sides.ts';
import type { Values } from './values.ts';

/** Kinds and ids of what the plan brings back nothing of. */
export function givenUpBy({ steps }: Pick<Plan, 'steps'>): ReadonlySet<string> {
  const nameOf = ({ kind, key }: Plan['steps'][number]): string => `${kind} ${lastOf(key)}`;
  const brought = new Set(steps.filter(({ action }) => action !== 'unsupported').map(nameOf));
  return new Set(steps.map(nameOf).filter((name) => !brought.has(name)));
}

/** The values without those members of lists of parts. */
export function withoutGivenUp(kind: KindName, values: Values, givenUp: ReadonlySet<string>): Values {
  const lists = Object.entries(kindOf(kind).embeds ?? {}).flatMap(([field, of]) => {
    const list: unknown = values[field];
    if (!Array.isArray(list)) return [];
    return [[field, list.filter((one) => !isRecord(one) || !givenUp.has(`${of} ${idAt(one) ?? ''}`))] as const];
  });
  return { ...values, ...Object.fromEntries(lists) };
}

/** True for a part of a site beside the one that people saw first, when that does not come back: the target shows another one first. */
export function lostDefault(sides: Sides, { kind, key, body }: Resource, givenUp: ReadonlySet<string>): boolean {
  if (kind !== 'site-section' && kind !== 'site-space') return false;
  if (givenUp.size === 0 && sides.live === null) return false;
  const beside = [...sides.original.resources(kind, keyAbove(key))];
  const first = defaultAmong(beside.filter((one) => one.body['section'] === body['section']));
  return first !== undefined && (givenUp.has(`${kind} ${first.id}`) || isLeftOut(sides, first));
}

/** In place: it was gone when the plan was made, which brings it not back, and is not there. */
function isLeftOut({ plan, live, restored }: Sides, { kind, key }: Resource): boolean {
  if (live === null || [live, restored].some((side) => side.one(kind, key) !== undefined)) return false;
  return !plan.steps.some((step) => step.kind === kind && step.key === key);
}
