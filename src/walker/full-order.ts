// Full walks that end early go on where the ones before them came to an end: the spaces that none has read for longest go first.
import { clearReadMarks, currentOf, readMark, scopesRead, setReadMark, type OpenSnapshot } from '../mirror/index.ts';
import type { Walk } from './types.ts';
import { mayMark } from './wanted.ts';

/** A mark of its own for each space, beside those of what is read below it: the snapshot is the last full walk that came to it. */
const IN_FULL = 'space, in full';

/** Number of the last full walk that came to a space; 0 where there was none. */
export function lastInFull({ mirror }: Pick<Walk, 'mirror'>, space: number): number {
  return readMark(mirror, space, IN_FULL)?.snapshot ?? 0;
}

/** Notes that a full walk has come to a space: its tree is taken in, and what that led to waits. Does nothing in other walks. */
export function noteInFull(walk: Walk, space: number): void {
  if (walk.mode === 'full' && mayMark(walk, 'revision')) setReadMark(walk, { scope: space, kind: IN_FULL, mark: '' });
}

/**
 * Takes that back for spaces of which something is left, in the order in which they were to be read: the next full walk begins with them.
 * Where none was read whole, the first of them is larger than the budget and would keep all others waiting for good: its turn is over.
 */
export function takeBackInFull(open: OpenSnapshot, left: Iterable<string>): void {
  const come = new Set(scopesRead(open, IN_FULL));
  const half = [...new Set(left)].flatMap((space) => {
    const rid = currentOf(open.mirror, 'space', space)?.rid;
    return rid !== undefined && come.has(rid) ? [rid] : [];
  });
  for (const rid of half.length === come.size ? half.slice(1) : half) clearReadMarks(open.mirror, rid, IN_FULL);
}
