// In which order a restore left what stands side by side. Where people have put it into another one since, an undo leaves that to them.
import type { KindName } from '../../contract/index.ts';
import type { RestoreStep, SnapshotReader } from '../../mirror/index.ts';
import { lastOf } from '../resource.ts';
import type { Part, Plan, PlanStep } from '../types.ts';
import { idMapOf } from './id-map.ts';

/** What stands side by side. */
export interface Siblings {
  readonly kinds: readonly KindName[];
  /** Ids in the order in which they stand. */
  readonly now: readonly string[];
  /** Ids in the order in which a snapshot has them. */
  readonly stood: (snapshot: SnapshotReader) => readonly string[];
}

/** `own`: as the restore left it, or nothing tells that. `unwritten`: no work of the restore. `changed`: it was, and stands otherwise by now. */
export type OrderOf = (siblings: Siblings) => 'own' | 'unwritten' | 'changed';

/** Parts of a plan that move something among what stands. */
const MOVING: ReadonlySet<Part> = new Set<Part>(['order', 'place', 'state', 'transfer', 'undelete']);

/** @param originals Holds the order to which the restore brought them; null where that is not at hand. */
export function ordersLeft(plan: Plan, noted: readonly RestoreStep[], originals: SnapshotReader | null): OrderOf {
  const ids = idMapOf(plan, noted);
  const done = new Set(noted.filter(({ state }) => state === 'done').map(({ step }) => step));
  const moved = plan.steps.flatMap((one) => [
    ...(MOVING.has(one.part)
      ? [{ kind: one.kind, id: ids.get(one.kind, one.key) ?? lastOf(one.key), step: one.step }]
      : []),
    ...pagesPlaced(one).map((id) => ({ kind: 'page', id: ids.get('page', `${one.key}/${id}`) ?? id, step: one.step })),
  ]);
  return ({ kinds, now, stood }) => {
    const own = moved.filter(({ kind, id }) => kinds.some((one) => one === kind) && now.includes(id));
    if (own.length === 0) return 'unwritten';
    // One that was cut off has left them in no order that could be told from that of people.
    if (originals === null || own.some(({ step }) => !done.has(step))) return 'own';
    const left = stood(originals).filter((id) => now.includes(id));
    const standing = now.filter((id) => left.includes(id));
    return left.every((id, i) => standing[i] === id) ? 'own' : 'changed';
  };
}

/** Ids of pages that a step of their space brings back, or gives another place. */
function pagesPlaced({ pages }: PlanStep): string[] {
  const { missing = [], changed = [] } = pages ?? {};
  const placed = changed.filter(({ why, of }) => of !== undefined || why.includes('order') || why.includes('parent'));
  return [...missing, ...placed].map(({ id }) => id);
}
