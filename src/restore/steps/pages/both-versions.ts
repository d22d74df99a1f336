// Pages that a merge made of two texts, told by what stands: where an earlier try has merged, and was cut off before it could note how.
import type { ChangeRequest, Revision } from '../../../contract/index.ts';
import { editsIn } from '../../target/content-there.ts';

interface Merged {
  readonly request: ChangeRequest;
  /** The pages as the change request proposes them. */
  readonly written: Revision;
  readonly made: Revision;
  /** Ids of the pages that the change request was to write. */
  readonly own: readonly string[];
}

/**
 * True where a page was last edited after what the change request says of it and up to the merge: a merge takes over the time of what it
 * takes over, and bears its own where it writes itself. What somebody has edited since the merge is later than that; a page that the
 * change request only gave another place keeps the earlier time of its text.
 */
export function mergedBoth({ request, written, made, own }: Merged): boolean {
  const now = editsIn(made);
  const proposed = editsIn(written);
  return own.some((id) => {
    const at = Date.parse(now.get(id) ?? '');
    return at > Date.parse(proposed.get(id) ?? '') && at <= Date.parse(request.updatedAt);
  });
}
