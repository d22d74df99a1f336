// A change request mostly holds the pages and files of its space, and those that other requests hold: what is the same there is not read
// twice.
import { ownParameter } from '../../contract/index.ts';
import { currentOf, doubtedMark, isSharedKind, keyOf, ownInRequests, SHARED_KINDS } from '../../mirror/index.ts';
import type { SharedKind } from '../../mirror/index.ts';
import { isCounted } from './counted.ts';
import { isSameFile } from './file-mark.ts';
import { keptBody } from './parts.ts';
import { take } from '../take.ts';
import type { Entry } from './tree.ts';
import type { Walk } from '../types.ts';

/** What a change request holds of its own. */
type HeldOwn = ReturnType<typeof ownInRequests>[number];

/** Where the mirror has what an entry shows. */
type Reused = Pick<HeldOwn, 'text' | 'object' | 'size'>;

/** Takes in an entry of a change request that the mirror has already; answers its number, null where it has to be read. */
export function reuse(walk: Walk, seen: Entry): number | null {
  const { kind, entry, ...place } = seen;
  if (!isSharedKind(kind)) return null;
  const held = ofSpace(walk, { ...seen, kind }) ?? ofRequest(walk, { ...seen, kind });
  if (held === undefined) return null;
  const kept = { ...place, kind, again: isCounted(seen), body: keptBody(kind, entry) };
  return held.text !== null
    ? take(walk, { ...kept, textBody: held.text }).rid
    : take(walk, { ...kept, object: { sha256: held.object ?? '', size: held.size ?? 0 } }).rid;
}

type OwnEntry = Entry & { readonly kind: SharedKind };

/** As the space shows it; marks of earlier programs, and places that were odd before this walk, included. */
function ofSpace(walk: Walk, seen: OwnEntry): Reused | undefined {
  const { mirror, id } = walk;
  const { main: kind } = SHARED_KINDS[seen.kind];
  const main = currentOf(mirror, kind, keyOf(kind, seen.params));
  if (main === undefined || !isBelieved(walk, main) || !isWhole(main)) return undefined;
  // A place that is odd only now may be that of a page which moved after its tree was read, and its text that of the new place.
  const isOdd = main.mark === doubtedMark('place', seen.mark) && main.valid_from !== id;
  return isOdd || main.mark === seen.mark || isSameFile(mirror, main, { ...seen, kind }) ? main : undefined;
}

function ofRequest(walk: Walk, seen: OwnEntry): Reused | undefined {
  const { documentId } = seen.entry;
  const text = typeof documentId === 'string' ? documentId : null;
  return heldInRequests(walk, { ...seen, documentId: text }).find(isWhole);
}

function isWhole({ text, object }: Reused): boolean {
  return text !== null || object !== null;
}

/** A full walk believes nothing that it has not read itself. */
function isBelieved({ mode, id }: Walk, { valid_from: from }: { readonly valid_from: number | null }): boolean {
  return mode !== 'full' || from === id;
}

interface Sought {
  readonly kind: SharedKind;
  readonly params: Readonly<Record<string, string>>;
  readonly mark: string;
  /** The id of the text of a page that has one. */
  readonly documentId: string | null;
}

/**
 * What other change requests of the space have of their own as an entry shows it. Of two that have the same only the later one goes by
 * the other. What is computed has no id of its text, and another text when its source moves.
 */
export function heldInRequests(walk: Walk, { kind, params, mark, documentId }: Sought): HeldOwn[] {
  const { spaceId: space = '', [ownParameter(kind)]: id = '' } = params;
  const own = currentOf(walk.mirror, kind, keyOf(kind, params))?.rid ?? Infinity;
  return ownInRequests(walk.mirror, { kind, space, id, mark }).filter(
    (held) => held.rid < own && isBelieved(walk, held) && (held.text === null || documentId !== null),
  );
}
