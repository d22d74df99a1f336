// What an import does not keep of pages, set in a new space once nothing is imported into it any more.
import type { Page } from '../../../contract/index.ts';
import { pagesAsked } from '../../selection/chosen-content.ts';
import { titleIn } from '../../special/page-fields.ts';
import { notImported } from '../../special/not-imported.ts';
import { detailOf } from '../../journal/step-detail.ts';
import type { ApplyContext, Part, PlanStep, StepOutcome, StepWork } from '../../types.ts';
import { withLacks } from '../../with-problems.ts';
import { findReview, MERGED_EARLY } from '../content/content.ts';
import { contentOf } from '../../target/content-there.ts';
import { nothing } from '../original.ts';
import {
  NOT_EDITED,
  sendBeside,
  type Beside,
  sendMerged,
  withoutEdited,
  fieldsShown,
  type ShownPage,
} from './send-beside.ts';
import { documentsSaying, lostFields } from './lost-fields.ts';
import { titleChanges, type TitledPage } from './title-changes.ts';

export const setNotImported: StepWork = {
  write: (context, step) => {
    const space = context.ids.need('space', step.key);
    return context.plan.review ? inReview(context, step, space) : merged(context, step, space);
  },
  // What is set already is seen, and not sent again.
  find: null,
};

async function inReview(context: ApplyContext, step: PlanStep, spaceId: string): Promise<StepOutcome> {
  const changeRequestId = (await findReview(context, spaceId))?.id;
  if (changeRequestId === undefined) return withLacks(nothing, [MERGED_EARLY]);
  const path = { spaceId, changeRequestId };
  const { pages } = await contentOf(context, path);
  const { beside, lacks } = withoutEdited(besideOf(context, step, pages), lastBrought(context, step));
  const sent = await sendBeside(context, path, beside);
  return withLacks(nothing, [...(sent?.refused ?? [NOT_EDITED]), ...lacks]);
}

async function merged(context: ApplyContext, step: PlanStep, spaceId: string): Promise<StepOutcome> {
  const { pages } = await contentOf(context, { spaceId });
  const { beside, lacks } = withoutEdited(besideOf(context, step, pages), lastBrought(context, step));
  return withLacks(await sendMerged(context, step, { spaceId, beside }), lacks);
}

/** When the last step before this one had written the pages, as the platform says; undefined where it has not noted that. */
function lastBrought({ plan, journal }: ApplyContext, { key }: PlanStep): string | undefined {
  const written = plan.steps.filter((one) => one.kind === 'revision' && one.key === key && BRINGING.has(one.part));
  const last = written.findLast(({ step }) => journal.stateOf(step) === 'done');
  const entry = journal.entries.find(({ step }) => step === last?.step);
  return entry && detailOf(entry).broughtAt;
}

const BRINGING: ReadonlySet<Part> = new Set<Part>(['content', 'links']);

function besideOf(context: ApplyContext, { key: space }: PlanStep, now: readonly Page[]): Beside {
  const { ids, plan, reader } = context;
  const { titled, shown } = notImported(reader, { space, only: pagesAsked(plan, { space }) ?? null });
  const wanted = titled.flatMap(({ key, body }): TitledPage[] => {
    const id = ids.get('page', key);
    return id === undefined ? [] : [{ id, title: titleIn(body), text: reader.one('page', key)?.text ?? null }];
  });
  const groups = shown.flatMap(({ key, body }): ShownPage[] => {
    const id = ids.get('page', key);
    return id === undefined ? [] : [{ id, body }];
  });
  const documents = documentsSaying(context, reader.outline('page', space), (key) => ids.get('page', key));
  return {
    titles: titleChanges(context, wanted, { source: { space }, pages: now }),
    fields: [...fieldsShown(groups, now), ...lostFields(context, documents, now)],
    pages: now,
  };
}
