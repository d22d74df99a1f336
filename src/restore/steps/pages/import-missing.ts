// In a space that stands: its missing pages and files are imported into a change request.
import { AppError } from '../../../base/index.ts';
import type { Revision } from '../../../contract/index.ts';
import { wasInserted } from '../../inserting/was-inserted.ts';
import { insertMissing, type Brought } from '../../inserting/insert-missing.ts';
import { importOrInsert } from '../../inserting/target-import.ts';
import { textAt } from '../../resource.ts';
import { pagesById } from '../../special/page-places.ts';
import type { ApplyContext, PlanStep } from '../../types.ts';
import { contentAfter, contentOf, type RequestPath } from '../../target/content-there.ts';
import { problemOf } from '../content/import-archive.ts';
import { besideThem, byTitlesThere, lookMends } from './looks.ts';
import { isMisplaced, stoodBefore, stoodIn } from './misplaced-import.ts';
import { mapMissing } from './missing-map.ts';
import { sendChanges } from '../../target/own-request.ts';
import { sendImports, type Importing } from './send-imports.ts';
import { ownStep } from './untaken-pages.ts';

interface Filling {
  readonly into: RequestPath;
  /** By an earlier try, which may have imported into it. */
  readonly isBegun: boolean;
}

/**
 * Imports the pages and files that are missing, unless an earlier try has done so. Answers `misplaced` for an import that left the change
 * request so that it must not be merged.
 */
export async function importMissing(
  context: ApplyContext,
  step: PlanStep,
  { into, isBegun }: Filling,
): Promise<Imported | 'misplaced'> {
  const { missing = [], files = [] } = step.pages ?? {};
  if (wasInserted(context, step)) return withOwn(context, step, await insertMissing(context, step, into));
  const before = await contentOf(context, into);
  const stood = isBegun ? await stoodBefore(context, step, into) : stoodIn(before);
  const begun = ownStep(context, step, before);
  if (isBegun && isMisplaced(context, begun, { stood, now: before })) return 'misplaced';
  // A second import would make pages again that an earlier try has imported and moved to their places.
  const known = mapMissing(context, begun, before).page ?? {};
  const looks = lookMends(step);
  if (missing.length + files.length + looks.length === 0) return { made: before, told: {}, own: step };
  const isImported = missing.some(({ id }) => `${step.key}/${id}` in known);
  const brought = isImported ? { made: before, told: {} } : await sendMissing(context, step, { into, before, stood });
  if (brought === 'misplaced') return brought;
  demandStanding(context, step, brought.made);
  return withOwn(context, step, brought);
}

interface Imported extends Brought {
  /** The step without what the target refused. */
  readonly own: PlanStep;
}

function withOwn(context: ApplyContext, step: PlanStep, brought: Brought): Imported {
  return { ...brought, own: ownStep(context, step, brought.made) };
}

function sendMissing(context: ApplyContext, step: PlanStep, begun: Importing): Promise<Brought | 'misplaced'> {
  return importOrInsert<Brought | 'misplaced'>(context, begun.into, {
    byImport: () => sentByImport(context, step, begun),
    byEdits: () => insertMissing(context, step, begun.into),
  });
}

async function sentByImport(context: ApplyContext, step: PlanStep, place: Importing): Promise<Brought | 'misplaced'> {
  if (context.journal.untakenOf(step).length > 0) context.journal.keepUntaken(step, []);
  const sent = await sentAlone(context, step, place);
  if (sent === 'misplaced') return sent;
  const { made, told } = sent;
  const left = byTitlesThere(context, ownStep(context, step, made), made.pages);
  if (left === null) return { made, told: problemOf(told) };
  const again = await sentAlone(context, left, { into: place.into, before: made, stood: stoodIn(made) });
  return again === 'misplaced' ? again : { made: again.made, told: problemOf(told) };
}

/** Without what it made beside the links that it was to set back. */
async function sentAlone(context: ApplyContext, step: PlanStep, place: Importing): ReturnType<typeof sendImports> {
  const sent = await sendImports(context, step, place);
  if (sent === 'misplaced') return sent;
  const beside = besideThem(context, ownStep(context, step, sent.made), sent.made.pages);
  if (beside.length === 0) return sent;
  const removals = beside.map((page) => ({ type: 'delete_page', page }) as const);
  const revision = (await sendChanges(context, place.into, removals)) ?? '';
  const isAll = ({ id }: Revision): boolean => revision === '' || id !== sent.made.id;
  return { ...sent, made: await contentAfter(context, { into: place.into, revision, isAll }) };
}

/**
 * An import overwrites the page that has the address of one of its files, and a link page may have an address that no answer shows.
 * Throws DM_RESTORE_FAILED when a page of the space became one of another type by that, before anything is merged.
 */
function demandStanding({ live }: ApplyContext, { key, title }: PlanStep, { pages }: Revision): void {
  const there = pagesById(pages);
  const over = [...(live?.outline('page', key) ?? [])].filter(
    ({ id, holds, body }) => holds && (there.get(id)?.type ?? body['type']) !== body['type'],
  );
  if (over.length === 0) return;
  const names = over.map(({ body }) => `${textAt(body, 'type')} ${textAt(body, 'title')}`).join(', ');
  throw new AppError(
    'DM_RESTORE_FAILED',
    `The pages that come back to ${title} would be written over ${names}, so nothing of it was changed: what stands there needs another address`,
    { hint: 'Give it one, and make a new plan.' },
  );
}
