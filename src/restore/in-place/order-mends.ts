// Collections and spaces that stand where they stood, but in another order among their siblings.
import type { KindName } from '../../contract/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { ContainerOrder } from '../special/container-order.ts';
import type { IsAway } from '../away.ts';
import { textAt, titleOf } from '../resource.ts';
import { leavesOrder } from './left-by-undo.ts';
import type { Changed } from './divergence.ts';
import type { Mending } from './input.ts';

const ORDERED = ['collection', 'space'] as const satisfies readonly KindName[];

/**
 * The moves that bring the siblings of what changed into their old order; what somebody added stays where it is.
 * What the token does not reach has no place that anybody knows.
 */
export function addOrderMends(planning: Mending, changed: readonly Changed[], isAway: IsAway): void {
  for (const kind of ORDERED) {
    const parents = new Set(changed.filter((one) => isReordered(kind, one)).map(({ wanted }) => parentOf(wanted)));
    if (parents.size > 0) addMoves(planning, { kind, parents, isAway });
  }
}

function isReordered(kind: KindName, { wanted, live }: Changed): boolean {
  const known = wanted.position !== null && live.position !== null && wanted.position !== live.position;
  return wanted.kind === kind && known && parentOf(wanted) === parentOf(live);
}

function parentOf({ body }: Resource): string | undefined {
  return textAt(body, 'parent');
}

interface Moving {
  readonly kind: (typeof ORDERED)[number];
  readonly parents: ReadonlySet<string | undefined>;
  readonly isAway: IsAway;
}

function addMoves(planning: Mending, { kind, parents, isAway }: Moving): void {
  const { list, reader, live, organization } = planning;
  const [was, is] = [new ContainerOrder(reader, organization), new ContainerOrder(live, organization)];
  for (const parent of parents) {
    const now = is.below(kind, parent).filter(({ key }) => !isAway(kind, key));
    const there = new Set(now.map(({ id }) => id));
    const wanted = was.below(kind, parent).filter(({ id }) => there.has(id));
    const ids = new Set(wanted.map(({ id }) => id));
    const order = now.map(({ id }) => id).filter((id) => ids.has(id));
    const stood = (side: SnapshotReader): string[] =>
      new ContainerOrder(side, organization).below(kind, parent).map(({ id }) => id);
    if (leavesOrder(planning, { kinds: [kind], now: order, stood }, wanted)) continue;
    for (const [i, one] of wanted.entries()) {
      if (order[i] === one.id) continue;
      order.splice(order.indexOf(one.id), 1);
      order.splice(i, 0, one.id);
      const before = wanted[i - 1];
      const note = before === undefined ? 'back to the front' : `back behind ${titleOf(before)}`;
      list.add({ part: 'order', of: one, note, mend: { expects: null, fields: [] }, requests: 2 });
    }
  }
}
