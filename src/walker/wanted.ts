// Which kinds a limited walk visits, and when it may say that a scope was read through.
import { childKinds, isBeside, kindsBelow, parentKind, routesTo, type KindName } from '../contract/index.ts';
import type { Walk } from './types.ts';

/** The given kinds, those they stand below or are parts of, and the routes to spaces where they stand in one; null is all. */
export function wantedKinds(kinds: readonly KindName[] | null | undefined): ReadonlySet<KindName> | null {
  if (kinds === null || kinds === undefined) return null;
  const wanted = new Set<KindName>();
  const add = (kind: KindName): void => {
    if (wanted.has(kind)) return;
    wanted.add(kind);
    const parent = parentKind(kind);
    if (parent !== null) add(parent);
  };
  kinds.forEach(add);
  if (wanted.has('space')) routesTo('space').forEach(add);
  return wanted;
}

export function isWanted({ wanted }: Pick<Walk, 'wanted'>, kind: KindName): boolean {
  return wanted === null || wanted.has(kind);
}

/** True when everything that a mark of this kind stands for is visited: itself and all below it that only it leads to. */
export function mayMark({ wanted }: Pick<Walk, 'wanted'>, kind: KindName): boolean {
  return wanted === null || [kind, ...kindsBelow(kind)].every((one) => isBeside(one) || wanted.has(one));
}

/** The kinds that are fetched beside the given one. */
export function besides(kind: KindName): KindName[] {
  return childKinds(kind).filter(isBeside);
}
