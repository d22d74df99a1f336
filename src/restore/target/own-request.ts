// The change request in which a step gathers edits: found again by its subject, so that a step that was cut off goes on with it.
import { AppError } from '../../base/index.ts';
import type { ApiError } from '../../client/index.ts';
import { MOST_CHANGES, type BodyOf, type ChangeRequest } from '../../contract/index.ts';
import { hasStatus, isNotOffered, NOT_PERMITTED, STANDS_AGAINST } from '../answers.ts';
import { findItem } from '../listings.ts';
import type { ApplyContext, PlanStep } from '../types.ts';
import type { RequestPath } from './content-there.ts';

export type ContentChange = BodyOf<'changeContent'>['changes'][number];

/** What the change requests of a restore for review are called by, or begin with. */
export function reviewSubject({ snapshot }: { readonly snapshot: number }): string {
  return `Restore of snapshot ${snapshot}`;
}

/** The subject by which an earlier try is known again; people see it in the history of the space. */
export function subjectOf({ plan, restore }: Subject, { step }: Pick<PlanStep, 'step'>): string {
  return `${reviewSubject(plan)} (${restore}, step ${step})`;
}

interface Subject extends Pick<ApplyContext, 'restore'> {
  readonly plan: Pick<ApplyContext['plan'], 'snapshot'>;
}

export type RequestStatus = ChangeRequest['status'];

/** That of an earlier try; null when there is none. */
export async function findRequest(
  context: Subject & Pick<ApplyContext, 'client'>,
  step: Pick<PlanStep, 'step'>,
  search: RequestSearch,
): Promise<ChangeRequest | null> {
  return findBySubject(context, subjectOf(context, step), search);
}

interface RequestSearch {
  readonly spaceId: string;
  readonly among: readonly RequestStatus[];
}

/** That which is called so; null when there is none. */
export async function findBySubject(
  { client }: Pick<ApplyContext, 'client'>,
  wanted: string,
  { spaceId, among }: RequestSearch,
): Promise<ChangeRequest | null> {
  for (const status of among) {
    const listing = client.paginate('listChangeRequests', { path: { spaceId }, query: { status } });
    const found = await findItem(listing, ({ subject }) => subject === wanted);
    if (found) return found;
  }
  return null;
}

export function createRequest(context: ApplyContext, step: PlanStep, spaceId: string): Promise<ChangeRequest> {
  return createCalled(context, subjectOf(context, step), spaceId);
}

/** One that is called so. */
export function createCalled(
  { client }: Pick<ApplyContext, 'client'>,
  subject: string,
  spaceId: string,
): Promise<ChangeRequest> {
  return client.call('createChangeRequest', { path: { spaceId }, body: { subject } });
}

/** Gives it up: nothing of it is merged. */
export async function archiveRequest({ client }: Pick<ApplyContext, 'client'>, path: RequestPath): Promise<void> {
  await client.call('updateChangeRequest', { path, body: { status: 'archived' } });
}

/** The revision that the merge made, and whether pages have both texts now, as somebody edited them too: that is answered with 200. */
export async function mergeRequest(
  { client }: Pick<ApplyContext, 'client'>,
  path: RequestPath,
): Promise<{ readonly revision: string; readonly isBoth: boolean }> {
  try {
    const { revision, result } = await client.call('mergeChangeRequest', { path });
    return { revision, isBoth: result === 'conflicts' };
  } catch (error) {
    throw hasStatus(error, NOT_ALLOWED) ? waiting(error, path) : error;
  }
}

// A platform may ask for reviews before a merge, or let others merge.
const NOT_ALLOWED = [...NOT_PERMITTED, ...STANDS_AGAINST];

/** What is brought stands in the change request by then, and is known again by its subject once somebody has merged it. */
function waiting(cause: ApiError, { spaceId, changeRequestId }: RequestPath): AppError {
  return new AppError(cause.code, cause.message, {
    hint: `All of it waits in change request ${changeRequestId} of space ${spaceId}, unless somebody has merged or archived it meanwhile: have it merged by who may, or give this token what the merge asks for. Then run the same command again.`,
    cause,
  });
}

/** The revision of the change request that they made, empty where there were none; null when the target does not offer the operation. */
export async function sendChanges(
  context: ApplyContext,
  path: RequestPath,
  changes: readonly ContentChange[],
): Promise<string | null> {
  let revision = '';
  for (const [index, batch] of batchesOf(changes).entries()) {
    try {
      revision = await sendBatch(context, path, batch);
    } catch (error) {
      if (index === 0 && isNotOffered(error)) return null;
      throw error;
    }
  }
  return revision;
}

/** The same for as many as one call holds. Throws what the platform answers. */
export async function sendBatch(
  { client }: Pick<ApplyContext, 'client'>,
  path: RequestPath,
  changes: readonly ContentChange[],
): Promise<string> {
  const body: BodyOf<'changeContent'> = { changes: [...changes] };
  const answer = await client.call('changeContent', { path, body });
  // Told by a platform that answers with more than a status.
  return answer.changeRequest?.revision ?? '';
}

// Of one batch, in UTF-16 units of texts.
export const MOST_TEXT = 1024 * 1024;

/** As many in each as one call holds. A text beyond that goes alone. */
export function batchesOf(changes: readonly ContentChange[]): ContentChange[][] {
  const batches: ContentChange[][] = [];
  let size = 0;
  for (const change of changes) {
    const own = 'document' in change ? (change.document?.markdown ?? '').length : 0;
    const last = batches.at(-1);
    size += own;
    if (last !== undefined && last.length < MOST_CHANGES && size <= MOST_TEXT) last.push(change);
    else {
      batches.push([change]);
      size = own;
    }
  }
  return batches;
}
