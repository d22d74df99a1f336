// What others do to the pages of a step while their change request is filled: no platform need keep it, or tell it, when that is merged.
import type { Revision, ChangeRequest } from '../../../contract/index.ts';
import { lastEdit } from '../../resource.ts';
import { contentOf, editsIn } from '../../target/content-there.ts';
import type { ApplyContext, PageMend, PlanStep } from '../../types.ts';
import type { OwnRequest } from './pages-outcome.ts';

export interface Filled extends OwnRequest {
  /** What stood in the change request before the edits. */
  readonly made: Revision;
}

/** One line for each page that the step writes and others have edited or deleted since the change request began; asked just before the merge. */
export async function editsOfOthers(
  context: ApplyContext,
  step: PlanStep,
  { spaceId, request, made }: Filled,
): Promise<string[]> {
  const { client } = context;
  const begun = request.revisionInitial ?? step.mend?.expects ?? null;
  if (begun === null) return [];
  const { revision } = await client.call('getSpace', { path: { spaceId } });
  if (revision === begun) return [];
  const [now, before] = [editsIn(await contentOf(context, { spaceId })), editsIn(made)];
  const going = new Set(step.pages?.added.map(({ id }) => id));
  return pagesWritten(step).flatMap(({ id, title }) => {
    const edit = now.get(id);
    if (edit === undefined) return before.has(id) && !going.has(id) ? [`page ${title}: ${DELETED}`] : [];
    // An earlier try may have edited it in the change request, and an earlier step in the space.
    const isAsBegun = [before.get(id) ?? '', editPlanned(context, step, id)].some((one) => one === '' || one === edit);
    return isAsBegun ? [] : [`page ${title}: ${going.has(id) ? EDITED_AND_TAKEN : EDITED}`];
  });
}

const DELETED = 'somebody deleted it while it was written: the merge may have left it away, or brought it back';
const EDITED =
  'somebody edited it while it was written: the merge may have put the restored page in place of that, which the history of its space still has then';
const EDITED_AND_TAKEN =
  'somebody edited it while it was to be taken away: the merge may have done that, and the history of its space still has what they wrote then';

function pagesWritten({ pages }: PlanStep): PageMend[] {
  const { changed = [], links = [], added = [] } = pages ?? {};
  return [...changed, ...links, ...added];
}

/** As the plan saw it; empty for what stood nowhere then. */
function editPlanned({ live }: ApplyContext, { key }: PlanStep, id: string): string | undefined {
  const stood = live?.one('page', `${key}/${id}`);
  return stood && lastEdit(stood.body);
}

interface Merged {
  readonly request: ChangeRequest;
  /** The pages as the change request proposes them. */
  readonly written: Revision;
  readonly made: Revision;
  /** Ids of the pages that the change request was to write. */
  readonly own: readonly string[];
}

/**
 * Whether an earlier try, which was cut off before it could note it, has merged pages into ones with two texts.
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
