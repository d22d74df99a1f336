// Pages and files of a space that stands: gathered in a change request, which is merged once it holds everything. Nothing is live
// before that, so a step that is cut off is simply gone on with.
import { AppError } from '../../../base/index.ts';
import { ApiError } from '../../../client/index.ts';
import { UNDER_WAY_STATUSES, type ChangeRequest, type Revision } from '../../../contract/index.ts';
import { isUntaken } from '../../answers.ts';
import { NoWayIn } from '../../inserting/target-import.ts';
import { isGivenUp, keepMisplaced, wasMisplaced } from '../../inserting/was-inserted.ts';
import type { Untaken } from '../../journal/untaken.ts';
import type { ApplyContext, PlanStep, StepOutcome, StepWork } from '../../types.ts';
import { withLacks, withProblems, withTold } from '../../with-problems.ts';
import { sendEdits, takeComputed } from './send-edits.ts';
import { contentAfter, type RequestPath } from '../../target/content-there.ts';
import { editsOfOthers, type Filled } from './edits-of-others.ts';
import { asSent, settleHeadings } from './headings.ts';
import { importMissing } from './import-missing.ts';
import { drifted } from '../live-object.ts';
import { forgetBrought, isHalfSent } from './missing-parts.ts';
import { archiveRequest, createRequest, findRequest, mergeRequest } from '../../target/own-request.ts';
import { lookMends } from './looks.ts';
import { pageChanges } from './page-changes.ts';
import { nameChanges, namesMeant } from './page-names.ts';
import { outcomeOfMends, staying, type Merged, type OwnRequest } from './pages-outcome.ts';
import { untakenAfterEdits } from './untaken-pages.ts';

export const mendPages: StepWork = {
  write: async (context, step) => {
    const spaceId = context.ids.need('space', step.key);
    const found = await ownRequest(context, step, spaceId);
    const request = found ?? (await beginRequest(context, step, spaceId));
    if (request.status === 'merged')
      return outcomeOfMends(context, step, { spaceId, request, edited: [], isMergedBefore: true });
    await demandOfPlan(context, step, { spaceId, request });
    const place = { spaceId, request, isBegun: found !== null };
    return wasMisplaced(context, step) ? fillAnew(context, step, place) : fillAndMerge(context, step, place);
  },
  // The change request is looked for by the step itself, which goes on with it.
  find: null,
};

/** That of an earlier try, but for one that cannot be gone on with. */
async function ownRequest(context: ApplyContext, step: PlanStep, spaceId: string): Promise<ChangeRequest | null> {
  const found = await findRequest(context, step, { spaceId, among: [...UNDER_WAY_STATUSES, 'merged'] });
  if (found === null || found.status === 'merged' || !isToBeArchived(context, step, found.id)) return found;
  forgetBrought(context, step);
  await archiveRequest(context, { spaceId, changeRequestId: found.id });
  return null;
}

/** Where an import cannot be used, or was one of several of which the others may be lacking. */
function isToBeArchived(context: ApplyContext, step: PlanStep, request: string): boolean {
  return isGivenUp(context, step, request) || isHalfSent(context, step, request);
}

/** Nobody may have edited the space since the plan was made. */
async function beginRequest(context: ApplyContext, step: PlanStep, spaceId: string): Promise<ChangeRequest> {
  const { client } = context;
  const { expects = null } = step.mend ?? {};
  if (expects !== null) {
    const { revision } = await client.call('getSpace', { path: { spaceId } });
    if (revision !== expects) throw drifted(step);
  }
  return createRequest(context, step, spaceId);
}

/** Nor before the change request began, which may be that of an earlier try that was cut off before it looked. It is archived then. */
async function demandOfPlan(context: ApplyContext, step: PlanStep, { spaceId, request }: OwnRequest): Promise<void> {
  const { expects = null } = step.mend ?? {};
  if (expects === null || (request.revisionInitial ?? expects) === expects) return;
  await archiveRequest(context, { spaceId, changeRequestId: request.id });
  throw drifted(step);
}

interface Begun extends OwnRequest {
  /** By an earlier try. */
  readonly isBegun: boolean;
}

/** Puts all that the step brings into the change request, and merges it unless people are to review it. */
async function fillAndMerge(
  context: ApplyContext,
  step: PlanStep,
  { spaceId, request, isBegun }: Begun,
): Promise<StepOutcome> {
  const path = { spaceId, changeRequestId: request.id };
  const brought = await unlessRefused(context, step, {
    path,
    work: () => importMissing(context, step, { into: path, isBegun }),
  });
  if (brought === 'misplaced') return beginAnew(context, step, path);
  const { made, told, own } = brought;
  const { edited, problems, lacks = [], refused } = await editPages(context, own, { path, made });
  if (edited !== null) settleUntaken(context, step, refused);
  const isEmpty = edited === null && bringsNothing(step);
  const { others = [], ...merged } = context.plan.review
    ? {}
    : await settled(context, step, { spaceId, request, made, isEmpty });
  const done = await outcomeOfMends(context, step, { spaceId, request, edited, ...merged });
  return withLacks(withProblems(withTold(done, told), problems), [...lacks, ...others]);
}

/** Merges it. Where nothing came into it there is nothing to merge: that would move the space to another revision for nobody. */
async function settled(
  context: ApplyContext,
  step: PlanStep,
  { isEmpty, ...filled }: Filled & { readonly isEmpty: boolean },
): Promise<Merged & { readonly others?: readonly string[] }> {
  const path = { spaceId: filled.spaceId, changeRequestId: filled.request.id };
  if (isEmpty) {
    await archiveRequest(context, path);
    return {};
  }
  const others = await editsOfOthers(context, step, filled);
  const merged = await mergeRequest(context, path);
  // One that has kept both says so itself.
  return merged.isBoth ? merged : { ...merged, others };
}

/** True for a step that only edits pages that stand. */
function bringsNothing(step: PlanStep): boolean {
  const { missing = [], files = [] } = step.pages ?? {};
  return missing.length + files.length + lookMends(step).length === 0;
}

/** What the platform refuses now it refuses later: a change request that nothing comes into is not left behind. */
async function unlessRefused<T>(
  context: ApplyContext,
  step: PlanStep,
  { path, work }: { readonly path: RequestPath; readonly work: () => Promise<T> },
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isUntaken(error)) throw error;
    forgetBrought(context, step);
    throw await givenUp(context, path, error);
  }
}

/** Archives the change request, and answers why. */
async function givenUp(context: ApplyContext, path: RequestPath, why: ApiError): Promise<AppError> {
  try {
    await archiveRequest(context, path);
    return why;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === null) throw error;
    const hint = `Archive change request ${path.changeRequestId} of space ${path.spaceId} by hand, which the platform refused to the restore (${error.status}), then run the same command again.`;
    return new AppError(why.code, why.message, { hint, cause: why });
  }
}

/** Noted before the merge: a later try, which finds it merged, has nothing else to tell it by. */
function settleUntaken(context: ApplyContext, step: PlanStep, refused: readonly Untaken[]): void {
  const { journal } = context;
  const untaken = journal.untakenOf(step);
  if (untaken.length + refused.length > 0)
    journal.keepUntaken(step, untakenAfterEdits(context, step, { untaken, refused }));
}

/** After an import that cannot be used: gives its change request up, and inserts what is missing into another. */
async function beginAnew(context: ApplyContext, step: PlanStep, path: RequestPath): Promise<StepOutcome> {
  keepMisplaced(context, step, path.changeRequestId);
  await archiveRequest(context, path);
  const { spaceId } = path;
  const request = await beginRequest(context, step, spaceId);
  return fillAnew(context, step, { spaceId, request, isBegun: false });
}

async function fillAnew(context: ApplyContext, step: PlanStep, place: Begun): Promise<StepOutcome> {
  try {
    return await fillAndMerge(context, step, place);
  } catch (error) {
    if (!(error instanceof NoWayIn)) throw error;
    await archiveRequest(context, { spaceId: place.spaceId, changeRequestId: place.request.id });
    const what = `An import into ${step.title} would take away or double pages that stand there, and the target has no operation that edits pages: nothing of it was changed`;
    throw new AppError('DM_IMPORT_FAILED', what, { hint: MISPLACED_HINT, cause: error });
  }
}

const MISPLACED_HINT =
  'Bring the pages back by hand from the export of the snapshot (docmirror export), or the whole space as a new one into another organization.';

interface Edits {
  /** Ids of the pages that were edited; null when the target did not take the edits. */
  readonly edited: readonly string[] | null;
  readonly problems: readonly string[];
  readonly lacks?: readonly string[];
  /** Those that the target refused. */
  readonly refused: readonly Untaken[];
}

/** Edits, moves and removes pages in the change request, after what was missing has come into it. */
async function editPages(context: ApplyContext, step: PlanStep, { path, made }: Editing): Promise<Edits> {
  const { changes, held, computed } = await pageChanges(context, step, { path, now: made.pages });
  const stays = held.map(staying);
  const sent = asSent(context.headings, changes);
  const { revision, refused } = await sendEdits(context, { path, changes: sent, pages: made.pages });
  if (revision === null) return { edited: null, problems: [NOT_OFFERED, ...stays], refused };
  await settleNames(context, step, { path, revision, before: made.id });
  const lacks = await settleHeadings(context, path, changes);
  const problems = await takeComputed(context, path, { computed, pages: made.pages });
  const edited = changes.flatMap((one) => ('page' in one ? [one.page] : []));
  return { edited, problems: [...problems, ...stays], lacks, refused };
}

const NOT_OFFERED = 'the target has no operation that edits pages: what was changed, moved or added is left as it is';

interface Editing {
  readonly path: RequestPath;
  /** What stands in the change request before the edits. */
  readonly made: Revision;
}

interface Edited {
  readonly path: RequestPath;
  /** That the edits have made; empty where none is told. */
  readonly revision: string;
  /** The one that stood before them. */
  readonly before: string;
}

async function settleNames(context: ApplyContext, step: PlanStep, { path, revision, before }: Edited): Promise<void> {
  const isAll = ({ id }: Revision): boolean => revision === '' || id !== before;
  const { pages } = await contentAfter(context, { into: path, revision, isAll });
  // What is refused of these keeps another address, which is told of each page that has one.
  await sendEdits(context, { path, changes: nameChanges(pages, namesMeant(context, step)), pages });
}
