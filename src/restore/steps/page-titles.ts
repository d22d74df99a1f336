// Titles that an import does not keep, set in a new space once nothing is imported into it any more.
import { UNDER_WAY_STATUSES, type Page } from '../../contract/index.ts';
import { pagesWithLostTitles, titleIn } from '../special/lost-titles.ts';
import type { ApplyContext, PlanStep, StepOutcome, StepWork } from '../types.ts';
import { withBoth, withLacks } from '../with-problems.ts';
import { findReview, MERGED_EARLY } from './content.ts';
import { nothing } from './original.ts';
import {
  createRequest,
  findRequest,
  mergeRequest,
  sendChanges,
  type ContentChange,
  type RequestPath,
} from './own-request.ts';
import { titleChanges, type TitledPage } from './title-changes.ts';

export const setTitles: StepWork = {
  write: (context, step) => {
    const space = context.ids.need('space', step.key);
    return context.plan.review ? inReview(context, step, space) : merged(context, step, space);
  },
  // What is set already is seen, and not sent again.
  find: null,
};

const NOT_EDITED = withLacks(nothing, [
  'the target has no operation that edits pages: their titles are as the import made them',
]);

async function inReview(context: ApplyContext, step: PlanStep, space: string): Promise<StepOutcome> {
  const request = await findReview(context, space);
  if (request === undefined) return withLacks(nothing, [MERGED_EARLY]);
  const path: RequestPath = { spaceId: space, changeRequestId: request };
  const { pages } = await context.client.call('getChangeRequestRevision', { path }, { signal: context.signal });
  return (await sendChanges(context, path, changesOf(context, step, pages))) === null ? NOT_EDITED : nothing;
}

async function merged(context: ApplyContext, step: PlanStep, space: string): Promise<StepOutcome> {
  const options = { signal: context.signal };
  const { pages } = await context.client.call('getRevision', { path: { spaceId: space } }, options);
  const changes = changesOf(context, step, pages);
  if (changes.length === 0) return nothing;
  const begun = await findRequest(context, step, { spaceId: space, among: UNDER_WAY_STATUSES });
  const request = begun ?? (await createRequest(context, step, space));
  const path: RequestPath = { spaceId: space, changeRequestId: request.id };
  if ((await sendChanges(context, path, changes)) === null) {
    await context.client.call('updateChangeRequest', { path, body: { status: 'archived' } }, options);
    return NOT_EDITED;
  }
  const { isBoth } = await mergeRequest(context, path);
  return withBoth({ newId: null, how: `change request ${request.number}` }, isBoth);
}

function changesOf(context: ApplyContext, { key }: PlanStep, now: readonly Page[]): ContentChange[] {
  const only = context.plan.only['page'];
  const pages = pagesWithLostTitles(context.reader, key, only ? new Set(only) : null);
  const wanted = pages.flatMap(({ key: page, body }): TitledPage[] => {
    const id = context.ids.get('page', page);
    const text = context.reader.one('page', page)?.text ?? null;
    return id === undefined ? [] : [{ id, title: titleIn(body), text }];
  });
  return titleChanges(context, wanted, { own: key, pages: now });
}
