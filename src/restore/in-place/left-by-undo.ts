// What somebody has changed since a restore wrote it, which an undo of that restore leaves.
import { canonicalJson, isRecord, lazyBy } from '../../base/index.ts';
import { defuseMentions } from '../special/mentions.ts';
import { asSaid, spaceOf, textAt } from '../resource.ts';
import type { FieldMend } from '../types.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { type Planning, standing } from '../plan/step-list.ts';
import type { Divergence } from './divergence.ts';
import { CHANGED_SINCE } from '../journal/later-restores.ts';
import type { OrderOf, Siblings } from '../journal/orders-left.ts';
import type { Mending } from './input.ts';
import { childrenOf, lazyByTree, misplaced, treeOf } from './sibling-orders.ts';

interface Written {
  /** What the restore wrote, by field; null where nothing tells that. */
  readonly own: ReadonlyMap<string, unknown> | null;
  /** The forms in which something is as good as a value, such as a text whose links lead to what was made anew. */
  readonly forms: (value: unknown) => readonly unknown[];
}

/** True for a field that does not stand as it was written. What others react with is theirs alone, and stays in any case. */
export function isChangedSince({ field, from }: FieldMend, { own, forms }: Written): boolean {
  const left = own?.get(field);
  if (left === undefined || field === 'addedReactions') return false;
  const asLeft = forms(left).flatMap((one) => (field === 'body' ? [one, calling(one)] : [one]));
  return !asLeft.some((one) => standsAs(asSaid(from), asSaid(one)));
}

/** True for a value that is what was written. A platform may complete an object with what it was not sent, and lists in an order of its own. */
export function standsAs(now: unknown, left: unknown): boolean {
  if (isRecord(now) && isRecord(left)) return Object.keys(left).every((name) => standsAs(now[name], left[name]));
  if (Array.isArray(now) && Array.isArray(left)) return inOrder(now) === inOrder(left);
  return canonicalJson(now) === canonicalJson(left);
}

function inOrder(list: readonly unknown[]): string {
  return canonicalJson(list.map((one) => canonicalJson(one)).toSorted());
}

/** A text as it is written where it is to call nobody. */
function calling(body: unknown): unknown {
  const markdown = isRecord(body) ? body['markdown'] : undefined;
  return typeof markdown === 'string' ? { ...Object(body), markdown: defuseMentions(markdown) } : body;
}

/** What is left to mend without them; each is said. */
export function leavePages(
  { list }: Planning,
  divergence: Divergence,
  keeps: (resource: Resource) => string | null,
): Divergence {
  const { missing, changed, added } = divergence;
  const whyLeft = (one: Resource): string | null => (one.kind === 'page' ? keeps(one) : null);
  const isLeft = (one: Resource): boolean => whyLeft(one) !== null;
  const places = new Set(added.filter(isLeft).map(placeOf));
  // An import would write over what stands where it puts a page.
  const isTaken = (one: Resource): boolean => one.kind === 'page' && places.has(placeOf(one));
  for (const one of [...changed.map(({ live }) => live), ...added]) {
    const note = whyLeft(one);
    if (note !== null) list.addUnsupported(one, note);
  }
  for (const one of missing)
    if (isTaken(one))
      list.addUnsupported(one, 'a page that was changed after the restore, and is left as it is, stands in its place');
  return {
    ...divergence,
    missing: missing.filter((one) => !isTaken(one)),
    changed: changed.filter(({ live }) => !isLeft(live)),
    added: added.filter((one) => !isLeft(one)),
  };
}

/** Where an import puts a page. */
function placeOf(page: Resource): string {
  return `${spaceOf(page)} ${textAt(page.body, 'path') ?? ''}`;
}

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
    for (const { one, id } of there) if (moved.has(id)) planning.list.addUnsupported(one, ORDER_CHANGED);
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
