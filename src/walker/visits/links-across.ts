// Once all is read: where a page, file or space went, came back or has another organization, links of other spaces say otherwise,
// although nothing of these spaces has moved. Their lists of links are read in the same walk.
import { inTurns } from '../../base/index.ts';
import {
  bodyOf,
  caughtUpTo,
  lastSealed,
  noteCaughtUp,
  openedSnapshot,
  readMark,
  resourceByNumber,
  spacesLinkingToMoved,
  wasRouted,
} from '../../mirror/index.ts';
import { movingMark } from './children.ts';
import { leaveUnmoved, readAgain } from './read-again.ts';
import type { Walk } from '../types.ts';

/** Numbers of the spaces whose links may lead elsewhere now. A limited walk leaves this to one of everything. */
export async function findLinksAcross({ mirror, id, signal }: Walk): Promise<number[]> {
  if (openedSnapshot(mirror)?.scope !== null || lastSealed(mirror) === undefined) return [];
  // A mirror in which it never was done begins with the last walk; the rota brings what is older.
  return inTurns(spacesLinkingToMoved(mirror, caughtUpTo(mirror, 'links_across') ?? id - 1), signal);
}

/**
 * Adds a visit for each of them: of links that this walk took for unchanged, or read before somebody deleted what they lead to. What it
 * could not read has no mark, and is read by the next; so is that of a space which it did not come by.
 */
export function takeLinksAcross(walk: Walk, spaces: readonly number[]): void {
  const { mirror } = walk;
  for (const scope of spaces) {
    const space = resourceByNumber(mirror, scope);
    if (space === undefined || readMark(mirror, scope, 'link') === undefined) continue;
    if (wasRouted(walk, scope))
      readAgain(walk, 'link', { holder: space, mark: movingMark('link', bodyOf(mirror, scope) ?? {}) ?? '' });
    else leaveUnmoved(walk, 'link', space);
  }
  if (openedSnapshot(mirror)?.scope === null) noteCaughtUp(walk, 'links_across');
}
