// What an import does to the pages that stand where it goes is in no document. The second import of a new space, which sets its links into
// other spaces, and those of change requests go over pages that stand: whether they stay is tried once, where nothing can be lost.
import { ApiError } from '../../client/index.ts';
import { UNDER_WAY_STATUSES, type Page, type Revision } from '../../contract/index.ts';
import type { Outlined } from '../../mirror/index.ts';
import { pagesInOrder, withAncestors } from '../content/import-parts.ts';
import { detailOf } from '../journal/step-detail.ts';
import { flatten } from '../special/page-places.ts';
import type { ApplyContext, PlanStep } from '../types.ts';
import { contentAfter, type RequestPath } from './content-there.ts';
import { importArchive, layoutOf } from './import-archive.ts';
import { archiveRequest, findBySubject, reviewSubject, sendChanges } from './own-request.ts';

/** An import puts itself in their place, or beside them, and the target edits no pages. */
export type Misplacing = 'replaces' | 'doubles';

/** Pages stay, and are written where they differ; else what is to be written goes by edits, if the target has them. */
export type OverStanding = 'keeps' | 'by edits' | Misplacing;

/**
 * Answers what is known, else tries it with one page in a change request of the space, which is archived then. What was seen is noted
 * first: a run that is cut off does not try again.
 */
export async function overStanding(context: ApplyContext, step: PlanStep): Promise<OverStanding> {
  const { importing, plan } = context;
  // For review, pages wait in a change request, and the space has none.
  if (!importing.isOffered || plan.review) return 'keeps';
  importing.overStanding ??= await unlessRefused(untilAnswered(context, step));
  return importing.overStanding ?? 'keeps';
}

/** What the trial is refused, what is to follow will be refused too, and say why. */
async function unlessRefused<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && isRefused(error)) return null;
    throw error;
  }
}

function isRefused({ status }: ApiError): boolean {
  return status !== null && status >= 400 && status < 500;
}

// Each of its writes may have been done without our knowing: what is there is gone on with.
const MOST_WRITES = 4;

async function untilAnswered(context: ApplyContext, step: PlanStep): Promise<OverStanding | null> {
  for (let left = MOST_WRITES; ; left -= 1) {
    try {
      return await seenOrTried(context, step);
    } catch (error) {
      if (left === 0 || !(error instanceof ApiError) || !error.sent || isRefused(error)) throw error;
    }
  }
}

/** Null where nothing can be tried: no space was made, or none has a page yet. */
async function seenOrTried(context: ApplyContext, step: PlanStep): Promise<OverStanding | null> {
  const { journal, ids } = context;
  const tryable = firstPage(context);
  if (tryable === null) return null;
  const { space, page } = tryable;
  const spaceId = ids.need('space', space);
  const begun = await findBySubject(context, subjectOf(context), { spaceId, among: UNDER_WAY_STATUSES });
  const path = { spaceId, changeRequestId: begun?.id ?? '' };
  const noted = journal.overStanding;
  if (noted === undefined) path.changeRequestId ||= await begin(context, spaceId);
  const how = noted ?? (await tried(context, step, { path, space, page }));
  if (noted === undefined) journal.noteOverStanding(how);
  if (path.changeRequestId !== '') await archiveRequest(context, path);
  return how;
}

interface Trial {
  readonly path: RequestPath;
  readonly space: string;
  readonly page: Outlined;
}

async function tried(context: ApplyContext, step: PlanStep, trial: Trial): Promise<OverStanding> {
  const now = await unlessRefused(imported(context, step, trial));
  if (now === null) return 'keeps';
  const how = seen(context, trial, now);
  const page = flatten(now.pages).find(({ type }) => type === 'document');
  if (how === 'keeps' || page === undefined) return how;
  return (await unlessRefused(canEdit(context, trial.path, page))) === true ? 'by edits' : how;
}

/** The first one that stands and that a file of its own brings; the same for each step, so that no run begins two trials. */
function firstPage({ reader, ids, plan }: ApplyContext): Omit<Trial, 'path'> | null {
  const only = plan.only['page'];
  for (const { kind, part, key: space } of plan.steps) {
    if (kind !== 'revision' || part !== 'content') continue;
    const page = pagesInOrder(reader, { space }).find(
      ({ key, body }) =>
        body['type'] === 'document' && ids.get('page', key) !== undefined && only?.includes(key) !== false,
    );
    if (page !== undefined) return { space, page };
  }
  return null;
}

function subjectOf({ plan, restore }: ApplyContext): string {
  return `${reviewSubject(plan)} (${restore}): does an import leave what stands?`;
}

async function begin(context: ApplyContext, spaceId: string): Promise<string> {
  const asked = { path: { spaceId }, body: { subject: subjectOf(context) } };
  return (await context.client.call('createChangeRequest', asked, { signal: context.signal })).id;
}

/** All that it shows in the end: what an earlier state lacks is not to be taken for what the import took away. */
async function imported(context: ApplyContext, step: PlanStep, { path, space, page }: Trial): Promise<Revision> {
  const source = { space };
  const pages = withAncestors(pagesInOrder(context.reader, source), [page.id]);
  const layout = layoutOf(context, source, { pages, files: new Set() });
  const { revision } = await importArchive(context, step, { layout, into: path });
  return contentAfter(context, { into: path, revision, isAll: () => false });
}

/** Sets the title of a page to what it is. */
async function canEdit(context: ApplyContext, path: RequestPath, { id, title }: Page): Promise<boolean> {
  const revision = await sendChanges(context, path, [{ type: 'update_page', page: id, title }]);
  return revision !== null;
}

/** Whether the pages that the restore brought are still there, and none is called as the one that was imported that it did not bring. */
function seen(
  { reader, ids, journal }: ApplyContext,
  { space, page }: Trial,
  { pages }: Revision,
): 'keeps' | Misplacing {
  const now = new Map(flatten(pages).map((one) => [one.id, one]));
  const brought = new Set([...reader.outline('page', space)].flatMap(({ key }) => ids.get('page', key) ?? []));
  if ([...brought].some((id) => !now.has(id))) return 'replaces';
  const made = journal.madeSpace(space);
  const first = new Set(Object.keys((made && detailOf(made).firstPages) ?? {}));
  const title = now.get(ids.need('page', page.key))?.title;
  const isTwice = (one: Page): boolean => one.title === title && !brought.has(one.id) && !first.has(one.id);
  return [...now.values()].some(isTwice) ? 'doubles' : 'keeps';
}
