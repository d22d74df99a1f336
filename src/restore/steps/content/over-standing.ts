// What an import does to the pages that stand where it goes is in no document. The second import of a new space, which sets its links into
// other spaces, those of change requests, and those that go in parts go over pages that stand: whether they stay is tried once, where
// nothing can be lost.
import { ApiError } from '../../../client/index.ts';
import { UNDER_WAY_STATUSES, type ChangeRequest, type Page, type Revision } from '../../../contract/index.ts';
import type { Outlined } from '../../../mirror/index.ts';
import { isNotOffered } from '../../answers.ts';
import { pagesInOrder, withAncestors } from '../../content/import-parts.ts';
import { asTaken } from '../../content/untaken-content.ts';
import { settleWhereLast } from '../../journal/made-spaces.ts';
import type { Misplacing, OverStanding } from '../../journal/step-detail.ts';
import { pagesAsked } from '../../selection/chosen-content.ts';
import { flatten } from '../../special/page-places.ts';
import type { ApplyContext, PlanStep } from '../../types.ts';
import { contentAfter, contentOf, type RequestPath } from '../../target/content-there.ts';
import { importArchive, layoutOf } from './import-archive.ts';
import {
  archiveRequest,
  createCalled,
  findBySubject,
  reviewSubject,
  sendChanges,
  type RequestStatus,
} from '../../target/own-request.ts';

/**
 * Answers what is known, else tries it with one page in a change request of the space, which is archived then. What was seen is noted
 * first: a run that is cut off does not try again.
 */
export async function overStanding(context: ApplyContext, step: PlanStep): Promise<OverStanding> {
  const { importing, plan } = context;
  // For review, all waits in one change request of each space, and another one beside it would have to be explained to whoever reviews.
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

function isRefused(error: ApiError): boolean {
  const { status } = error;
  return isNotOffered(error) || (status !== null && status >= 400 && status < 500);
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

/** Null where nothing can be tried: no space was made that is to get a page. */
async function seenOrTried(context: ApplyContext, step: PlanStep): Promise<OverStanding | null> {
  const { journal, ids } = context;
  const tryable = firstPage(context);
  if (tryable === null) return null;
  const { space, page } = tryable;
  const spaceId = ids.need('space', space);
  const begun = await begunTrial(context, space, spaceId);
  const path = { spaceId, changeRequestId: begun?.id ?? '' };
  const noted = journal.overStanding;
  if (noted === undefined) path.changeRequestId ||= (await createCalled(context, subjectOf(context), spaceId)).id;
  const how = noted ?? (await tried(context, step, { path, space, page }));
  if (noted === undefined) journal.noteOverStanding(how);
  if (path.changeRequestId !== '') {
    await archiveRequest(context, path);
    journal.noteOverStanding(how);
  }
  return how;
}

/** That of a run that was cut off; null where there is none to go on with. What it did to the space was the restore's own doing. */
async function begunTrial(context: ApplyContext, space: string, spaceId: string): Promise<ChangeRequest | null> {
  const find = (among: readonly RequestStatus[]): Promise<ChangeRequest | null> =>
    findBySubject(context, subjectOf(context), { spaceId, among });
  const begun = await find(UNDER_WAY_STATUSES);
  const isOpen = context.journal.cutOffAt(space) !== undefined;
  const tried = begun ?? (isOpen ? await find(['archived']) : null);
  settleWhereLast(context.journal, space, tried?.updatedAt);
  return begun;
}

interface Trial {
  readonly path: RequestPath;
  readonly space: string;
  readonly page: Outlined;
}

async function tried(context: ApplyContext, step: PlanStep, trial: Trial): Promise<OverStanding> {
  const seen =
    (await unlessRefused(seenBeforeAndAfter(context, step, trial))) ??
    // It may be its text that is refused, which is none of what is asked here.
    (await unlessRefused(seenBeforeAndAfter(withTitleAlone(context, trial), step, trial)));
  if (seen === null) return 'keeps';
  const how = misplacing(seen);
  const page = flatten(seen.after.pages).find(({ type }) => type === 'document');
  if (how === 'keeps' || page === undefined) return how;
  return (await unlessRefused(canEdit(context, trial.path, page))) === true ? 'by edits' : how;
}

function withTitleAlone(context: ApplyContext, { space, page: { id } }: Trial): ApplyContext {
  const untaken = [{ kind: 'page', id, title: '', what: 'content', why: '' }] as const;
  return { ...context, reader: asTaken(context.reader, { space }, untaken) };
}

/** The first one that a file of its own brings, in a space that is there; the same for each step, so that no run begins two trials. */
function firstPage({ reader, ids, plan }: ApplyContext): Omit<Trial, 'path'> | null {
  for (const { kind, part, key: space, mend } of plan.steps) {
    if (kind !== 'revision' || part !== 'content' || mend !== undefined || ids.get('space', space) === undefined)
      continue;
    const asked = pagesAsked(plan, { space });
    const page = pagesInOrder(reader, { space }).find(
      ({ key, body }) => body['type'] === 'document' && asked?.has(key) !== false,
    );
    if (page !== undefined) return { space, page };
  }
  return null;
}

function subjectOf({ plan, restore }: ApplyContext): string {
  return `${reviewSubject(plan)} (${restore}): does an import leave what stands?`;
}

interface Seen {
  readonly before: Revision;
  readonly after: Revision;
}

/** The page is imported where it stands. In a space that has nothing yet, an import of its own brings it first. */
async function seenBeforeAndAfter(context: ApplyContext, step: PlanStep, trial: Trial): Promise<Seen> {
  const begun = await contentOf(context, trial.path);
  const now = context.ids.get('page', trial.page.key);
  const stands = flatten(begun.pages).some(({ id }) => id === now);
  const before = stands ? begun : await imported(context, step, trial);
  return { before, after: await imported(context, step, trial) };
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

/** Whether all that stood is still there, and nothing more that is called as one of them. */
function misplacing({ before, after }: Seen): 'keeps' | Misplacing {
  const [stood, now] = [flatten(before.pages), flatten(after.pages)];
  const there = new Set(now.map(({ id }) => id));
  if (stood.some(({ id }) => !there.has(id))) return 'replaces';
  const ids = new Set(stood.map(({ id }) => id));
  const titles = new Set(stood.map(({ title }) => title));
  return now.some(({ id, title }) => !ids.has(id) && titles.has(title)) ? 'doubles' : 'keeps';
}

/** Why something was not done, in words. */
export function leftFor(over: Misplacing, what: string): string {
  const how = over === 'replaces' ? 'takes away the pages that stand' : 'brings the pages that stand once more';
  return `${what}: an import ${how}, and the target has no operation that edits pages`;
}
