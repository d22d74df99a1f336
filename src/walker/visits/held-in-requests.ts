// What other change requests of a space have of their own: mostly pages and files as their space had them, before it went on.
import { ownParameter } from '../../contract/index.ts';
import { currentOf, keyOf, heldAsOwn, type SharedKind } from '../../mirror/index.ts';
import type { Walk } from '../types.ts';

/** What a change request holds of its own. */
export type HeldOwn = ReturnType<typeof heldAsOwn>[number];

interface Sought {
  readonly kind: SharedKind;
  readonly params: Readonly<Record<string, string>>;
  readonly mark: string;
  /** The id of the text of a page that has one. */
  readonly documentId: string | null;
}

/**
 * What others hold as an entry shows it. Of two that have the same only the later one goes by the other. What is computed has no id of
 * its text, and another text when its source moves. A full walk believes nothing that it has not read itself.
 */
export function heldInRequests(walk: Walk, sought: Sought): HeldOwn[] {
  const { kind, params } = sought;
  const before = currentOf(walk.mirror, kind, keyOf(kind, params))?.rid ?? Number.MAX_SAFE_INTEGER;
  return heldSo(walk, sought, { before, from: walk.mode === 'full' ? walk.id : null });
}

/** The same of any other, be it read by this walk or not. */
export function heldInAnyRequest(walk: Walk, sought: Sought): HeldOwn[] {
  return heldSo(walk, sought, { before: Number.MAX_SAFE_INTEGER, from: null });
}

interface Since {
  readonly before: number;
  readonly from: number | null;
}

function heldSo(walk: Walk, { kind, params, mark, documentId }: Sought, since: Since): HeldOwn[] {
  const { spaceId: space = '', [ownParameter(kind)]: id = '' } = params;
  const held = heldAsOwn(walk.mirror, { kind, space, id, mark, ...since });
  return held.filter(({ text }) => text === null || documentId !== null);
}
