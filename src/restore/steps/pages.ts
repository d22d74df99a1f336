// Pages and files of a space that stands: gathered in a change request, which is merged once it holds everything. Nothing is live
// before that, so a step that is cut off is simply gone on with.
import { AppError } from '../../base/index.ts';
import { UNDER_WAY_STATUSES, type ChangeRequest, type Revision } from '../../contract/index.ts';
import { flatten } from '../special/page-places.ts';
import { lastEdit, textAt } from '../resource.ts';
import type { ApplyContext, PageMend, PlanStep, StepOutcome, StepWork } from '../types.ts';
import { withLacks, withProblems } from '../with-problems.ts';
import { mergedBoth } from './both-versions.ts';
import { takeComputed } from './computed-removals.ts';
import { contentAfter, contentOf } from './content-there.ts';
import { asSent, settleHeadings } from './headings.ts';
import { importArchive, problemOf } from './import-archive.ts';
import { drifted } from './live-object.ts';
import { mapMissing } from './missing-map.ts';
import { createRequest, findRequest, sendChanges, type RequestPath } from './own-request.ts';
import { pageChanges } from './page-changes.ts';
import { misnamed, nameChanges, namesMeant } from './page-names.ts';
import { missingSource } from './page-source.ts';

export const mendPages: StepWork = {
  write: async (context, step) => {
    const space = context.ids.need('space', step.key);
    const found = await findRequest(context, step, { spaceId: space, among: [...UNDER_WAY_STATUSES, 'merged'] });
    const request = found ?? (await beginRequest(context, step, space));
    if (request.status === 'merged')
      return outcome(context, step, { space, request, edited: [], isMergedBefore: true });
    await demandOfPlan(context, step, { space, request });
    return fill(context, step, { space, request });
  },
  // The change request is looked for by the step itself, which goes on with it.
  find: null,
};

/** Nobody may have edited the space since the plan was made. */
async function beginRequest(context: ApplyContext, step: PlanStep, spaceId: string): Promise<ChangeRequest> {
  const { client, signal } = context;
  const { expects = null } = step.mend ?? {};
  if (expects !== null) {
    const { revision } = await client.call('getSpace', { path: { spaceId } }, { signal });
    if (revision !== expects) throw drifted(step);
  }
  return createRequest(context, step, spaceId);
}

/** Nor in the moment in which the change request began, be it that of an earlier try, which did not come to look. */
async function demandOfPlan(
  { client, signal }: ApplyContext,
  step: PlanStep,
  { space, request }: Place,
): Promise<void> {
  const { expects = null } = step.mend ?? {};
  if (expects === null || (request.revisionInitial ?? expects) === expects) return;
  const path = { spaceId: space, changeRequestId: request.id };
  await client.call('updateChangeRequest', { path, body: { status: 'archived' } }, { signal });
  throw drifted(step);
}

interface Place {
  readonly space: string;
  readonly request: ChangeRequest;
}

/** Puts all that the step brings into the change request, and merges it unless people are to review it. */
async function fill(context: ApplyContext, step: PlanStep, { space, request }: Place): Promise<StepOutcome> {
  const path = { spaceId: space, changeRequestId: request.id };
  const options = { signal: context.signal };
  const { made, told } = await bringMissing(context, step, { space, request });
  const problems: string[] = [];
  const { changes, held, computed } = await pageChanges(context, step, { path, now: made.pages });
  const sent = await sendChanges(context, path, asSent(context.headings, changes));
  if (sent === null)
    problems.push('the target has no operation that edits pages: what was changed, moved or added is left as it is');
  else {
    await settleNames(context, step, { path, revision: sent, before: made.id });
    await settleHeadings(context, path, changes);
    problems.push(...(await takeComputed(context, path, { computed, pages: made.pages })));
  }
  problems.push(...held.map(staying));
  let isBoth = false;
  let revision: string | undefined;
  if (!context.plan.review) {
    const merged = await context.client.call('mergeChangeRequest', { path }, options);
    ({ revision } = merged);
    isBoth = merged.result === 'conflicts';
  }
  const edited = sent === null ? null : changes.flatMap((one) => ('page' in one ? [one.page] : []));
  const done = await outcome(context, step, { space, request, edited, isBoth, revision });
  const { problem } = told;
  const brought = told.isLacking === true ? { ...done, isLacking: true } : done;
  return withProblems(brought, [...(problem === undefined ? [] : [problem]), ...problems]);
}

interface Brought {
  /** What stands in the change request then. */
  readonly made: Revision;
  /** What may be missing of the import. */
  readonly told: ReturnType<typeof problemOf>;
}

/** Imports the pages and files that are missing, unless an earlier try has done so. */
async function bringMissing(context: ApplyContext, step: PlanStep, { space, request }: Place): Promise<Brought> {
  const into = { space, request: request.id };
  const path = { spaceId: space, changeRequestId: request.id };
  const { missing = [], files = [] } = step.pages ?? {};
  const before = await context.client.call('getChangeRequestRevision', { path }, { signal: context.signal });
  // Once more, an import would make pages anew that an earlier try has put in their places since.
  const known = mapMissing(context, step, before).page ?? {};
  if (missing.length + files.length === 0) return { made: before, told: {} };
  const isImported = missing.some(({ id }) => `${step.key}/${id}` in known);
  const brought = isImported ? { made: before, told: {} } : await importMissing(context, step, into);
  demandStanding(context, step, brought.made);
  return brought;
}

async function importMissing(
  context: ApplyContext,
  step: PlanStep,
  into: { readonly space: string; readonly request: string },
): Promise<Brought> {
  const result = await importArchive(context, step, { layout: missingSource(context, step), into });
  const isAll = (now: Revision): boolean => {
    mapMissing(context, step, now);
    return notFound(context, step).length === 0;
  };
  const made = await contentAfter(context, { into, revision: result.revision, isAll });
  mapMissing(context, step, made);
  return { made, told: problemOf(result) };
}

const BOTH = 'somebody edited the same pages meanwhile: both versions are in them';

/** An import writes over what has the address of one of its files, and a link may have one that no answer tells. Nothing is merged then. */
function demandStanding({ live }: ApplyContext, { key, title }: PlanStep, { pages }: Revision): void {
  const types = new Map<string, unknown>(flatten(pages).map(({ id, type }) => [id, type]));
  const over = [...(live?.outline('page', key) ?? [])].filter(
    ({ id, holds, body }) => holds && types.has(id) && types.get(id) !== body['type'],
  );
  if (over.length === 0) return;
  const names = over.map(({ body }) => `${textAt(body, 'type')} ${textAt(body, 'title')}`).join(', ');
  throw new AppError(
    'DM_RESTORE_FAILED',
    `The pages that come back to ${title} would be written over ${names}, so nothing of it was changed: what stands there needs another address`,
    { hint: 'Give it one, and make a new plan.' },
  );
}

interface Edited {
  readonly path: RequestPath;
  /** That the edits have made; empty where none is told. */
  readonly revision: string;
  /** The one that stood before them. */
  readonly before: string;
}

async function settleNames(context: ApplyContext, step: PlanStep, { path, revision, before }: Edited): Promise<void> {
  const into = { space: path.spaceId, request: path.changeRequestId };
  const isAll = ({ id }: Revision): boolean => revision === '' || id !== before;
  const { pages } = await contentAfter(context, { into, revision, isAll });
  await sendChanges(context, path, nameChanges(pages, namesMeant(context, step)));
}

/** Missing pages that are not there; of what was imported, to go on without them beats to bring nothing back. */
function notFound({ ids }: ApplyContext, { key, pages }: PlanStep): PageMend[] {
  return (pages?.missing ?? []).filter(({ id }) => ids.get('page', `${key}/${id}`) === undefined);
}

/** What people are told of a page that was to go. */
export function staying(title: string): string {
  return `page ${title} stays: pages that are not to go stand below it`;
}

interface Filled extends Place {
  /** Ids of the pages that were edited, as far as this try did it; null when the target did not take the edits. */
  readonly edited: readonly string[] | null;
  /** By an earlier try, which was cut off then: people may have edited the space since. */
  readonly isMergedBefore?: boolean;
  /** Pages that somebody edited meanwhile have both texts now: that is not as the restore wrote them. */
  readonly isBoth?: boolean;
  /** That the merge has made, by its answer; absent where this try did not merge, or was not told. */
  readonly revision?: string | undefined;
}

async function outcome(
  context: ApplyContext,
  step: PlanStep,
  { space, request, edited, isMergedBefore = false, isBoth = false, revision = request.revisionMerged }: Filled,
): Promise<StepOutcome> {
  const inRequest = (): Promise<Revision> => contentOf(context, { space, request: request.id });
  // What stood there when the change request began is shown for a moment after the merge, too.
  const isAll = ({ id }: Revision): boolean => revision === undefined || id !== request.revisionInitial;
  const made = context.plan.review
    ? await inRequest()
    : await contentAfter(context, { into: { space }, revision: revision ?? '', isAll });
  // Only the change request still tells the pages as the restore wrote them: an edit since is not to pass for its own.
  const written = isMergedBefore || isBoth ? await inRequest() : made;
  const map = mapMissing(context, step, made);
  const how = `change request ${request.number}`;
  const meant = namesMeant(context, step);
  const wrote = writtenPages(step, { made, written, map, edited, meant });
  const isMixed =
    isBoth || (isMergedBefore && mergedBoth({ request, written, made, own: Object.keys(wrote.editedAt) }));
  const done = { newId: null, map, how, ...wrote, editedFrom: editsBefore(context, step, wrote.editedAt), isMixed };
  const newId = (id: string): string => context.ids.byId('page', id) ?? id;
  const stays = isMergedBefore ? stayedIn(written, step) : [];
  return withLacks(withProblems(done, [...(isMixed ? [BOTH] : []), ...stays]), [
    ...notFound(context, step).map(({ title }) => `page ${title} was not found among what the platform imported`),
    ...(edited === null ? [] : misnamed(step, made.pages, { meant, newId })),
  ]);
}

/** What an earlier try left that was to go: that was cut off before it could say so. */
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
  const there = new Map(flatten(written.pages).map((page) => [page.id, lastEdit({ ...page })]));
  const numbered = all.filter(({ id, slug, type }) => type !== 'link' && meant.has(id) && meant.get(id) !== slug);
  const planned = [...changed, ...links].map(({ id }) => id);
  const standing = new Set(all.map(({ id }) => id));
  const stays = added.map(({ id }) => id).filter((id) => standing.has(id));
  const untouched = edited === null ? [...planned, ...stays] : stays;
  const wrote = edited === null ? [] : [...planned, ...edited, ...numbered.map(({ id }) => id)];
  const own = [...wrote, ...Object.values(map['page'] ?? {})];
  const editedAt = own.flatMap((id) => {
    const at = there.get(id);
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
