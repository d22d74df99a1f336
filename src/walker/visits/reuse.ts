// A change request mostly holds the pages and files of its space, and those that other requests hold: what is the same there is not read
// twice.
import { currentOf, doubtedMark, isSharedKind, keyOf, SHARED_KINDS, type SharedKind } from '../../mirror/index.ts';
import { isCounted } from './counted.ts';
import { isSameFile } from './file-mark.ts';
import { heldInRequests, type HeldOwn } from './held-in-requests.ts';
import { keptBody } from './parts.ts';
import { take } from '../take.ts';
import type { Entry } from './tree.ts';
import type { Walk } from '../types.ts';

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
  if (main === undefined || !isWhole(main)) return undefined;
  // A full walk believes nothing that it has not read itself.
  if (walk.mode === 'full' && main.valid_from !== id) return undefined;
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
