// Which pages stand in another order among the siblings that are there on both sides.
import { lazyBy } from '../../base/index.ts';
import { isPage } from '../../contract/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { keyAbove } from '../resource.ts';

/** The pages of a space, or those that a change request shows. */
export interface PageTree {
  readonly kind: 'page' | 'change-request-page';
  /** The key of the space or change request. */
  readonly holder: string;
}

/** The tree in which a page stands; null for what is no page. */
export function treeOf({ kind, key }: Pick<Resource, 'kind' | 'key'>): PageTree | null {
  return isPage(kind) ? { kind, holder: keyAbove(key) } : null;
}

/** What is looked up once for each tree. */
export function lazyByTree<T>(make: (tree: PageTree) => T): (tree: PageTree) => T {
  const made = lazyBy((kind: PageTree['kind']) => lazyBy((holder: string) => make({ kind, holder })));
  return ({ kind, holder }) => made(kind)(holder);
}

interface Sides {
  readonly wanted: SnapshotReader;
  readonly live: SnapshotReader;
  /** False for what nobody may move: it stands as far as others can move instead. */
  readonly mayMove: (page: Resource) => boolean;
}

/** Reads each tree once, when it is first asked about. */
export class SiblingOrders {
  readonly #sides: Sides;
  /** Ids of the pages of a tree that must move for their siblings to stand as they stood. */
  readonly movedIn = lazyByTree((tree) => this.#find(tree));

  constructor(sides: Sides) {
    this.#sides = sides;
  }

  /** True when the page must move for its siblings to stand as they stood. */
  moved(page: Resource): boolean {
    const tree = treeOf(page);
    return tree !== null && this.movedIn(tree).has(page.id);
  }

  #find(tree: PageTree): ReadonlySet<string> {
    const { wanted, live, mayMove } = this.#sides;
    const stays = (id: string): boolean => {
      const page = wanted.one(tree.kind, `${tree.holder}/${id}`);
      return page !== undefined && !mayMove(page);
    };
    const [was, is] = [childrenOf(wanted, tree), childrenOf(live, tree)];
    const moved = new Set<string>();
    for (const [parent, before] of was) {
      for (const id of misplaced(before, is.get(parent) ?? [], stays)) moved.add(id);
    }
    return moved;
  }
}

/**
 * The fewest of them that must move for what stands on both sides to be in its old order: who puts the last of thousands first has
 * moved one. The way back moves the same ones, so that an undo finds what the restore has touched.
 * @param stays Those that are left where they stand as far as others can move instead, however many those are.
 */
export function misplaced(
  was: readonly string[],
  is: readonly string[],
  stays: (id: string) => boolean = () => false,
): string[] {
  const stood = new Map(was.map((id, at) => [id, at]));
  const now = is.filter((id) => stood.has(id));
  const weightOf = (id: string): number => (stays(id) ? now.length + 1 : 1);
  const row = now.map((id) => ({ id, place: stood.get(id) ?? 0, weight: weightOf(id) }));
  const staying = heaviestRising(row, was.length);
  return now.filter((id) => !staying.has(id));
}

interface Placed {
  readonly id: string;
  readonly place: number;
  readonly weight: number;
}

/** Ids of the rising row of most weight; of several, the one with the lowest ids from its beginning. */
function heaviestRising(all: readonly Placed[], places: number): Set<string> {
  const before = weightsTo(all, places);
  const mirrored = all.toReversed().map((one) => ({ ...one, place: places - 1 - one.place }));
  const after = weightsTo(mirrored, places).toReversed();
  const most = before.reduce((best, one) => Math.max(best, one), 0);
  /** Those on a heaviest row, by the weight of what comes before them in it. */
  const next = new Map<number, number[]>();
  for (const [at, { weight }] of all.entries()) {
    const [to = 0, from = 0] = [before[at], after[at]];
    if (to + from - weight !== most) continue;
    const level = next.get(to - weight) ?? [];
    next.set(to - weight, level);
    level.push(at);
  }
  const chosen = new Set<string>();
  let [last, lowest, reached] = [-1, -1, 0];
  while (reached < most) {
    const candidates = (next.get(reached) ?? []).filter((at) => at > last && (all[at]?.place ?? 0) > lowest);
    const [first = 0, ...others] = candidates;
    last = others.reduce((one, other) => ((all[other]?.id ?? '') < (all[one]?.id ?? '') ? other : one), first);
    const { id = '', place = 0, weight = 1 } = all[last] ?? {};
    chosen.add(id);
    [lowest, reached] = [place, reached + weight];
  }
  return chosen;
}

/** For each, how much the heaviest rising row weighs that ends with it. */
function weightsTo(all: readonly Placed[], places: number): number[] {
  // The heaviest row that ends below a place: a tree of partial maxima.
  const tree = new Float64Array(places + 1);
  return all.map(({ place, weight }) => {
    let most = 0;
    for (let at = place; at > 0; at -= at & -at) most = Math.max(most, tree[at] ?? 0);
    for (let at = place + 1; at <= places; at += at & -at) tree[at] = Math.max(tree[at] ?? 0, most + weight);
    return most + weight;
  });
}

/** Ids of pages in their order, by the id of the page above; null is the top. Each page comes before those below it. */
export function childrenOf(reader: SnapshotReader, { kind, holder }: PageTree): Map<string | null, string[]> {
  const children = new Map<string | null, { id: string; position: number }[]>();
  for (const { id, parent, position } of reader.resources(kind, holder)) {
    const siblings = children.get(parent) ?? [];
    children.set(parent, siblings);
    siblings.push({ id, position: position ?? Number.MAX_SAFE_INTEGER });
  }
  const inOrder = [...children].map(([parent, pages]) => {
    const ids = pages.toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
    return [parent, ids] as const;
  });
  return topDown(new Map(inOrder));
}

/** What stands below something that is not there comes last. */
function topDown(children: ReadonlyMap<string | null, string[]>): Map<string | null, string[]> {
  const ordered = new Map<string | null, string[]>();
  const above: (string | null)[] = [null];
  for (const parent of above) {
    const ids = children.get(parent);
    if (ids === undefined) continue;
    ordered.set(parent, ids);
    above.push(...ids);
  }
  for (const [parent, ids] of children) if (!ordered.has(parent)) ordered.set(parent, ids);
  return ordered;
}
