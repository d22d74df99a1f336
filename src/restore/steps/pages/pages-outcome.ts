// In a space that stands: what became of its pages once the change request holds everything, and what an undo must know of it.
import type { ChangeRequest, Revision } from '../../../contract/index.ts';
import { wasInserted } from '../../inserting/was-inserted.ts';
import { adoptMissing } from '../../inserting/insert-missing.ts';
import { lastEdit } from '../../resource.ts';
import { flatten } from '../../special/page-places.ts';
import type { ApplyContext, PlanStep, StepOutcome } from '../../types.ts';
import { withBoth, withLacks, withProblems } from '../../with-problems.ts';
import { mergedBoth } from './edits-of-others.ts';
import { contentAfter, contentOf, editsIn } from '../../target/content-there.ts';
import { looksLeft } from './looks.ts';
import { mapMissing, pagesNotFound } from './missing-map.ts';
import { isMisnamed, misnamed, namesMeant } from './page-names.ts';
import { ownStep, untakenLines } from './untaken-pages.ts';

export interface OwnRequest {
  readonly spaceId: string;
  readonly request: ChangeRequest;
}

export interface Merged {
  /** Pages that somebody edited meanwhile have both texts now: that is not as the restore wrote them. */
  readonly isBoth?: boolean;
  /** Id of the revision that the merge made; absent where this try did not merge, or the answer did not tell. */
  readonly revision?: string | undefined;
}

interface Filled extends OwnRequest, Merged {
  /** Ids of the pages that were edited, as far as this try did it; null when the target did not take the edits. */
  readonly edited: readonly string[] | null;
  /** By an earlier try, which was cut off then: people may have edited the space since. */
  readonly isMergedBefore?: boolean;
}

export async function outcomeOfMends(
  context: ApplyContext,
  step: PlanStep,
  { spaceId, request, edited, isMergedBefore = false, isBoth = false, revision = request.revisionMerged }: Filled,
): Promise<StepOutcome> {
  const inRequest = (): Promise<Revision> => contentOf(context, { spaceId, changeRequestId: request.id });
  // What stood there when the change request began is shown for a moment after the merge, too.
  const isAll = ({ id }: Revision): boolean => revision === undefined || id !== request.revisionInitial;
  const made = context.plan.review
    ? await inRequest()
    : await contentAfter(context, { into: { spaceId }, revision: revision ?? '', isAll });
  // Only the change request still tells the pages as the restore wrote them: an edit since is not to pass for its own.
  const written = isMergedBefore || isBoth ? await inRequest() : made;
  const lacks = wasInserted(context, step) ? adoptMissing(context, step, made) : [];
  const [own, untaken] = [ownStep(context, step, made), context.journal.untakenOf(step)];
  const map = mapMissing(context, own, made);
  const how = `change request ${request.number}`;
  const meant = namesMeant(context, own);
  const wrote = writtenPages(step, { made, written, map, edited, meant });
  const isMixed =
    isBoth || (isMergedBefore && mergedBoth({ request, written, made, own: Object.keys(wrote.editedAt) }));
  const waits = context.plan.review ? { waits: { request: request.id, revision: made.id } } : {};
  const done = { newId: null, map, how, ...wrote, editedFrom: editsBefore(context, step, wrote.editedAt), ...waits };
  const newId = (id: string): string => context.ids.byId('page', id) ?? id;
  const stays = isMergedBefore ? stayedIn(written, step) : [];
  return withLacks(withProblems(withBoth(done, isMixed), stays), [
    // What this try has brought, it has told already.
    ...(isMergedBefore ? lacks : []),
    ...untakenLines(context, step, { untaken, own }),
    ...pagesNotFound(context, own).map(({ title }) => `page ${title} was not found among what the platform imported`),
    ...looksLeft(context, own, made.pages),
    ...(edited === null ? [] : misnamed(own, made.pages, { meant, newId })),
  ]);
}

/** What people are told of a page that was to go. */
export function staying(title: string): string {
  return `page ${title} stays: pages that are not to go stand below it`;
}

/** Pages that were to go and that an earlier try left, which was cut off before it could say so. */
function stayedIn({ pages }: Revision, step: PlanStep): string[] {
  const going = new Set(step.pages?.added.map(({ id }) => id));
  const stayed = flatten(pages).filter(({ id }) => going.has(id));
  return stayed.map(({ title, pages: below = [] }) =>
    below.length > 0 ? staying(title) : `page ${title} stays: the change request that was merged did not take it away`,
  );
}

interface Made {
  readonly made: Revision;
  /** The pages as the restore wrote them. */
  readonly written: Revision;
  readonly map: NonNullable<StepOutcome['map']>;
  readonly edited: readonly string[] | null;
  /** Names that the pages should have, by id. */
  readonly meant: ReadonlyMap<string, string>;
}

/** What an undo must know: which of the planned pages were left alone, and the others, and those that were numbered for them, as they stand now. */
function writtenPages(
  { pages }: PlanStep,
  { made, written, map, edited, meant }: Made,
): Required<Pick<StepOutcome, 'untouched' | 'editedAt'>> {
  const { changed = [], added = [], links = [] } = pages ?? {};
  const all = flatten(made.pages);
  const edits = editsIn(written);
  const numbered = all.filter((page) => isMisnamed(page, meant));
  const planned = [...changed, ...links].map(({ id }) => id);
  const standing = new Set(all.map(({ id }) => id));
  const stays = added.map(({ id }) => id).filter((id) => standing.has(id));
  const untouched = edited === null ? [...planned, ...stays] : stays;
  const wrote = edited === null ? [] : [...planned, ...edited, ...numbered.map(({ id }) => id)];
  const own = [...wrote, ...Object.values(map['page'] ?? {})];
  const editedAt = own.flatMap((id) => {
    const at = edits.get(id);
    return at === undefined ? [] : [[id, at] as const];
  });
  return { untouched, editedAt: Object.fromEntries(editedAt) };
}

/** When those that stood were last edited, as the plan saw them: nothing is written in a space that moved since. */
function editsBefore(
  { live }: ApplyContext,
  { key }: PlanStep,
  written: Readonly<Record<string, string>>,
): NonNullable<StepOutcome['editedFrom']> {
  const before = Object.keys(written).flatMap((id) => {
    const stood = live?.one('page', `${key}/${id}`);
    return stood === undefined ? [] : [[id, lastEdit(stood.body)] as const];
  });
  return Object.fromEntries(before);
}
