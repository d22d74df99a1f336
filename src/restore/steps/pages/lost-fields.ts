// What the front matter of a page says, as its emoji, and an import did not take over: no two platforms need read the same of it.
import { UNDER_WAY_STATUSES, type Page } from '../../../contract/index.ts';
import type { Outlined } from '../../../mirror/index.ts';
import { isRefused } from '../../answers.ts';
import { lastEdit, type Body } from '../../resource.ts';
import { pagesAsked } from '../../selection/chosen-content.ts';
import { fieldAsSet, isFileless, NOT_IMPORTED } from '../../special/page-fields.ts';
import { pagesById } from '../../special/page-places.ts';
import type { ApplyContext, PlanStep, StepOutcome } from '../../types.ts';
import { withLacks, withTold } from '../../with-problems.ts';
import { contentOf, isRequest, type ContentPath } from '../../target/content-there.ts';
import { findRequest, type ContentChange } from '../../target/own-request.ts';
import { nothing } from '../original.ts';
import { orNull } from '../write-once.ts';
import { broughtAtOf } from '../content/changed-since.ts';
import {
  NOT_EDITED,
  sendBeside,
  sendMerged,
  type Sending,
  withoutEdited,
  fieldsShown,
  type ShownPage,
} from './send-beside.ts';

/** Fields that an import of this apply has kept: those it keeps everywhere. */
export type KeptFields = Set<string>;

/** Documents that say what no import of this apply has shown to keep, by the ids that they have now. */
export function documentsSaying(
  { keptFields }: Pick<ApplyContext, 'keptFields'>,
  pages: Iterable<Outlined>,
  idNow: (key: string) => string | undefined,
): ShownPage[] {
  const shown: ShownPage[] = [];
  for (const { key, holds, body } of pages) {
    if (!holds || isFileless(body) || !NOT_IMPORTED.some((field) => isSaid(body, field) && !keptFields.has(field)))
      continue;
    const id = idNow(key);
    if (id !== undefined) shown.push({ id, body });
  }
  return shown;
}

/** Edits that set what was not kept. @param now The pages as an import left them. */
export function lostFields(
  { keptFields }: Pick<ApplyContext, 'keptFields'>,
  wanted: readonly ShownPage[],
  now: readonly Page[],
): ContentChange[] {
  const there = pagesById(now);
  for (const field of NOT_IMPORTED) if (isKept(field, wanted, there)) keptFields.add(field);
  return fieldsShown(wanted, now);
}

type Field = (typeof NOT_IMPORTED)[number];

/** What was edited since, as by an earlier try of the step, tells of that edit alone. */
function isKept(field: Field, wanted: readonly ShownPage[], there: ReadonlyMap<string, Page>): boolean {
  let isShown = false;
  for (const { id, body } of wanted) {
    const now: Body | undefined = there.get(id);
    if (now === undefined || !isSaid(body, field)) continue;
    if (fieldAsSet(body, field) !== fieldAsSet(now, field)) return false;
    isShown ||= lastEdit(now) === '';
  }
  return isShown;
}

interface Brought {
  readonly into: ContentPath;
  /** As the import left them; null where they are still to be read. */
  readonly pages: readonly Page[] | null;
  readonly outcome: StepOutcome;
}

/** Goes on with what an earlier try has imported and was to edit; null where none has. */
export async function withLostFieldsOf(
  context: ApplyContext,
  step: PlanStep,
  into: ContentPath,
): Promise<StepOutcome | null> {
  const outcome = context.journal.broughtOf(step);
  return outcome === undefined ? null : withLostFields(context, step, { into, pages: null, outcome });
}

/** After the last import into a new space: another one would take it away again. */
export async function withLostFields(context: ApplyContext, step: PlanStep, brought: Brought): Promise<StepOutcome> {
  const { into } = brought;
  if (isImportedAgain(context, step)) return withTime(context, step, brought);
  const { ids, reader } = context;
  const made = brought.outcome.map?.['page'] ?? {};
  const asked = pagesAsked(context.plan, { space: step.key });
  const idNow = (key: string): string | undefined =>
    asked?.has(key) === false ? undefined : (made[key] ?? ids.get('page', key));
  const wanted = documentsSaying(context, reader.outline('page', step.key), idNow);
  if (wanted.length === 0) return brought.outcome;
  const { outcome, pages } = await seen(context, brought);
  const told = { titles: [], fields: lostFields(context, wanted, pages), pages };
  const { beside, lacks } = withoutEdited(told, outcome.broughtAt);
  if (beside.fields.length === 0) return withLacks(outcome, lacks);
  if (!isRequest(into)) {
    // Imported once more, the pages would lose again what is set now.
    context.journal.keepBrought(step, outcome);
    return withLacks(withTold(outcome, await setAtOnce(context, step, { spaceId: into.spaceId, beside })), lacks);
  }
  const sent = await sendBeside(context, into, beside);
  return withLacks(outcome, [...(sent?.refused ?? [NOT_EDITED]), ...lacks]);
}

/** The pages as they stand, and when the restore had brought them: of an earlier try, what was edited later was edited by somebody. */
async function seen(
  context: ApplyContext,
  { into, pages, outcome }: Brought,
): Promise<{ readonly pages: readonly Page[]; readonly outcome: StepOutcome }> {
  if (pages !== null) return { pages, outcome };
  const made = await contentOf(context, into);
  return { pages: made.pages, outcome: { ...broughtAtOf(made), ...outcome } };
}

/** Links are set by edits, too, where nothing else tells these from those of people: what sets titles after them must know when. */
async function withTime(context: ApplyContext, { part }: PlanStep, brought: Brought): Promise<StepOutcome> {
  return part === 'links' ? (await seen(context, brought)).outcome : brought.outcome;
}

/** For this alone nothing that needs the pages is to fail: what cannot be merged yet waits for people who may. */
async function setAtOnce(context: ApplyContext, step: PlanStep, sending: Sending): Promise<StepOutcome> {
  try {
    return await sendMerged(context, step, sending);
  } catch (error) {
    if (!isRefused(error)) throw error;
    const { spaceId } = sending;
    const request = await orNull(() => findRequest(context, step, { spaceId, among: UNDER_WAY_STATUSES }));
    const waits = request === null ? 'are not set' : `wait in change request ${request.number} to be merged`;
    return withLacks(nothing, [`fields that an import does not keep ${waits}: ${error.message}`]);
  }
}

/** True where another step of the plan writes the pages once more. */
function isImportedAgain({ plan }: ApplyContext, { step, key }: PlanStep): boolean {
  return plan.steps.some(
    (one) =>
      one.step > step && one.kind === 'revision' && one.key === key && (one.part === 'links' || one.part === 'name'),
  );
}

function isSaid(body: Body, field: Field): boolean {
  return !['', false].includes(fieldAsSet(body, field));
}
