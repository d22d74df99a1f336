// What settled change requests show as their spaces did: are the entries those that were sealed, and from when to when do they hold?
import type { Pieces } from '../../base/index.ts';
import type { CheckProblem } from './check.ts';
import type { Mirror } from '../database/database.ts';
import { sharedHash } from '../observe/shared-trees.ts';
import { lastSealed, openedSnapshot } from '../snapshots/snapshots.ts';

const MOST_SHOWN = 20;

interface Tree {
  readonly tid: number;
  readonly key: string | null;
  readonly kind: string;
  readonly hash: string;
  readonly valid_from: number;
  readonly valid_to: number | null;
}

const TREES = `select s.tid, r.key, s.kind, s.hash, s.valid_from, s.valid_to from shared_trees s left join resources r on r.rid = s.rid order by s.tid`;

/** Trees whose entries are others than when they were sealed, and those that hold for nothing or end behind all that is there. */
export function* brokenSharedTrees(mirror: Mirror): Pieces<CheckProblem[]> {
  const newest = openedSnapshot(mirror)?.id ?? lastSealed(mirror)?.id ?? 0;
  const problems: CheckProblem[] = [];
  for (const tree of mirror.store.prepare<Tree>(TREES).all()) {
    if (problems.length >= MOST_SHOWN) break;
    const problem = wrongIn(tree, newest) ?? (sharedHash(mirror, tree.tid) === tree.hash ? null : OTHERS);
    if (problem !== null) problems.push({ what: 'reference', which: nameOf(tree), problem });
    yield;
  }
  return problems;
}

const OTHERS = 'has other entries than it was sealed with';

function nameOf({ tid, kind, key }: Tree): string {
  return `shared_trees ${tid} (${kind} of ${key ?? '?'})`;
}

function wrongIn({ valid_from: from, valid_to: to }: Tree, newest: number): string | null {
  if (from < 1 || (to !== null && to <= from))
    return `holds from snapshot ${from} up to ${to ?? 'now'}, which is for none`;
  return to !== null && to > newest ? `ends in snapshot ${to}, which is not there` : null;
}
