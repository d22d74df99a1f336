// What a walk has counted of a tree that it reads once more, because that moved while it was read: each resource counts once.
import type { KindName } from '../../contract/index.ts';
import { countKind, heldByKey, unseenBelow, type Current, type FailedBelow, type Held } from '../../mirror/index.ts';
import type { Walk } from '../types.ts';
import { besides } from '../wanted.ts';

/** What a reading of a tree is told of the ones before it. */
export interface ReadAgain {
  /** It is not the first in this walk. */
  readonly again: boolean;
  /** Names of what is held and was counted by none of them. */
  readonly uncounted: ReadonlySet<string>;
}

interface Earlier {
  /** Number of the revision. */
  readonly revision: number;
  /** What could not be read since the reading before. */
  readonly failed: readonly FailedBelow[];
  /** What the reading before was told; undefined when that was the first. */
  readonly uncounted: readonly string[] | undefined;
}

/**
 * Names of what is held below a revision and was counted by no reading of its tree in this walk: it could not be read, or the tree
 * lacked it, each time.
 */
export function uncountedIn(walk: Walk, { revision, failed, uncounted }: Earlier): string[] {
  const lacking = unseenBelow(walk.mirror, revision);
  const now = [
    ...failed.map(({ kind, resource }) => nameOf(kind, resource)),
    ...lacking.map((one) => nameOf(one.kind, one.key)),
  ];
  if (uncounted === undefined) return now;
  const before = new Set(uncounted);
  return now.filter((name) => before.has(name));
}

/** An entry of a tree, and what the walk has counted of it. */
interface Counted {
  readonly kind: KindName;
  readonly counted?: readonly KindName[] | undefined;
}

/** Which of an entry and of what stands beside it an earlier reading has counted. */
export function countedBefore(
  { kind, again, uncounted }: ReadAgain & { readonly kind: KindName },
  key: string,
  known: Current | undefined,
): KindName[] {
  const isNew = known === undefined || known.vid === null;
  if (!again || isNew || uncounted.has(nameOf(kind, key))) return [];
  return [kind, ...besides(kind).filter((beside) => !uncounted.has(nameOf(beside, key)))];
}

/** True for an entry that an earlier reading of its tree has counted. */
export function isCounted({ kind, counted = [] }: Counted): boolean {
  return counted.includes(kind);
}

/** True for what is held, is lacking from a tree that is read once more, and was counted by an earlier reading. */
export function wasInTree({ again, uncounted }: ReadAgain, { kind, key }: Pick<Held, 'kind' | 'key'>): boolean {
  return again && !uncounted.has(nameOf(kind, key));
}

/** What was seen as it was before, with what stands beside it, was deleted since: the snapshot does not show it. */
export function uncount(walk: Walk, { kind, key }: Pick<Held, 'kind' | 'key'>): void {
  for (const one of [kind, ...besides(kind)]) {
    const held = heldByKey(walk.mirror, one, key);
    // What this walk has taken in is taken back where it ends.
    if (held !== undefined && held.valid_from !== walk.id) countKind(walk, one, { seen: -1, unchanged: -1 });
  }
}

function nameOf(kind: string, key: string): string {
  return `${kind} ${key}`;
}
