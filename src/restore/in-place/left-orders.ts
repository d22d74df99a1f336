// Of an undo: orders of siblings that it does not set back, since they are not, or no more, as its restore left them.
import { lazyBy } from '../../base/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { CHANGED_SINCE } from '../journal/later-restores.ts';
import type { OrderOf, Siblings } from '../journal/orders-left.ts';
import type { Mending } from './input.ts';
import { childrenOf, lazyByTree, misplaced, treeOf } from './sibling-orders.ts';
import { standing } from '../plan/step-list.ts';

const ORDER_CHANGED = `its place in the order: ${CHANGED_SINCE}`;

/**
 * True for an order that stays as it is. What people have moved since is named; an order that the restore did not write is none of its.
 * @param wanted The siblings that stand, in the order in which they stood before.
 */
export function leavesOrder(planning: Mending, siblings: Siblings, wanted: readonly Resource[]): boolean {
  const order = planning.orderOf(siblings);
  if (order === 'own') return false;
  const there = wanted.map((one) => ({ one, id: standing(planning, one) ?? one.id }));
  const moved = new Set(
    misplaced(
      there.map(({ id }) => id),
      siblings.now,
    ),
  );
  if (order === 'changed')
    for (const { one, id } of there)
      if (moved.has(id)) planning.list.addIdle('unsupported', one, { note: ORDER_CHANGED });
  return true;
}

/** Why a page is not set back among its siblings: null where that order is none of the restore's; undefined where it is set back. */
export function pageOrders({ live, orderOf }: Mending): (page: Resource) => string | null | undefined {
  const reasons: Readonly<Record<ReturnType<OrderOf>, string | null | undefined>> = {
    own: undefined,
    unwritten: null,
    changed: ORDER_CHANGED,
  };
  const ordersIn = lazyByTree((tree) => {
    const children = lazyBy((side: SnapshotReader) => childrenOf(side, tree));
    const below = (side: SnapshotReader, parent: string | null): readonly string[] => children(side).get(parent) ?? [];
    return lazyBy((parent: string | null) =>
      orderOf({ kinds: ['page'], now: below(live, parent), stood: (side) => below(side, parent) }),
    );
  });
  return (page) => {
    const tree = treeOf(page);
    return tree === null ? undefined : reasons[ordersIn(tree)(page.parent)];
  };
}
