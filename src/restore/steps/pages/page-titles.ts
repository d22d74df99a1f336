// Titles that an import does not keep, set in a new space once nothing is imported into it any more.
import { UNDER_WAY_STATUSES, type Page } from '../../../contract/index.ts';
import { pagesAsked } from '../../selection/chosen-content.ts';
import { pagesWithLostTitles, titleIn } from '../../special/lost-titles.ts';
import type { ApplyContext, PlanStep, StepOutcome, StepWork } from '../../types.ts';
import { withBoth, withLacks } from '../../with-problems.ts';
import { findReview, MERGED_EARLY } from '../content/content.ts';
import { contentOf } from '../content/content-there.ts';
import { nothing } from '../original.ts';
import {
  archiveRequest,
  createRequest,
  findRequest,
  mergeRequest,
  sendChanges,
  type ContentChange,
} from '../content/own-request.ts';
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

async function inReview(context: ApplyContext, step: PlanStep, spaceId: string): Promise<StepOutcome> {
  const changeRequestId = (await findReview(context, spaceId))?.id;
  if (changeRequestId === undefined) return withLacks(nothing, [MERGED_EARLY]);
  const path = { spaceId, changeRequestId };
  const { pages } = await contentOf(context, path);
  return (await sendChanges(context, path, changesOf(context, step, pages))) === null ? NOT_EDITED : nothing;
}

async function merged(context: ApplyContext, step: PlanStep, spaceId: string): Promise<StepOutcome> {
  const { pages } = await contentOf(context, { spaceId });
  const changes = changesOf(context, step, pages);
  if (changes.length === 0) return nothing;
  const begun = await findRequest(context, step, { spaceId, among: UNDER_WAY_STATUSES });
  const request = begun ?? (await createRequest(context, step, spaceId));
  const path = { spaceId, changeRequestId: request.id };
  if ((await sendChanges(context, path, changes)) === null) {
    await archiveRequest(context, path);
    return NOT_EDITED;
  }
  const { isBoth } = await mergeRequest(context, path);
  return withBoth({ newId: null, how: `change request ${request.number}` }, isBoth);
}

function changesOf(context: ApplyContext, { key }: PlanStep, now: readonly Page[]): ContentChange[] {
  const pages = pagesWithLostTitles(context.reader, key, pagesAsked(context.plan, { space: key }) ?? null);
  const wanted = pages.flatMap(({ key: page, body }): TitledPage[] => {
    const id = context.ids.get('page', page);
    const text = context.reader.one('page', page)?.text ?? null;
    return id === undefined ? [] : [{ id, title: titleIn(body), text }];
  });
  return titleChanges(context, wanted, { source: { space: key }, pages: now });
}
