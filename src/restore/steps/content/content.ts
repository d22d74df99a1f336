// The content of spaces and of change requests.
import type { ChangeRequest } from '../../../contract/index.ts';
import type { Resource } from '../../../mirror/index.ts';
import type { ContentSource } from '../../content/import-parts.ts';
import { settleWhereLast } from '../../journal/made-spaces.ts';
import { insertWhole } from '../../inserting/insert-content.ts';
import { wasInserted } from '../../inserting/was-inserted.ts';
import { insertLinks } from '../../inserting/insert-links.ts';
import { settleSlugs } from '../../inserting/settle-slugs.ts';
import { importOrInsert } from '../../inserting/target-import.ts';
import { LinkPages } from '../../links/link-pages.ts';
import { flatten } from '../../special/page-places.ts';
import { firstOf, spaceOf, titleOf } from '../../resource.ts';
import type { ApplyContext, PlanStep, StepOutcome, StepWork } from '../../types.ts';
import { pagesNamed, withLacks, withProblems } from '../../with-problems.ts';
import { broughtAtOf, withoutChanged } from './changed-since.ts';
import { contentOf } from '../../target/content-there.ts';
import { firstPages, seeFirstPages, withoutFirstPages, type Filled } from './first-pages.ts';
import { mapContent } from './import-archive.ts';
import { importLate, importWhole, type ImportJob } from './import-whole.ts';
import { pagesLost } from './map-imported.ts';
import { wasSplit } from './send-whole.ts';
import { withLeads } from './leads.ts';
import { nothing } from '../original.ts';
import { createCalled, findBySubject, reviewSubject, sendChanges } from '../../target/own-request.ts';
import { withLostFields, withLostFieldsOf } from '../pages/lost-fields.ts';
import { removalsIn } from '../pages/page-siblings.ts';
import { leftFor, overStanding } from './over-standing.ts';
import { ownWhereImported, ownWhereUntouched } from './own-spaces.ts';
import { staying } from '../pages/pages-outcome.ts';
import { placedBack } from './placed-back.ts';
import { withBeside, type ImportedRequest, writeProposedLinks } from './proposed-beside.ts';
import { demandRequestAsSeen } from '../live-object.ts';

export const importSpace: StepWork = {
  write: async (context, step) => {
    const spaceId = context.ids.need('space', step.key);
    await seeFirstPages(context, step);
    if (context.plan.review) return importForReview(context, step, spaceId);
    const job = { source: { space: step.key }, into: { spaceId } };
    const bring = (): Promise<StepOutcome> => ownWhereUntouched(context, job, () => bringAlone(context, step, job));
    return (await withLostFieldsOf(context, step, job.into)) ?? bring();
  },
  find: async (context, step) => {
    if (context.plan.review || wasSplit(context, step) || wasInserted(context, step)) return null;
    // When in doubt it is sent again: an import leaves what stands, as a rule. Where it does not, verify names the pages that are there twice.
    const into = { spaceId: context.ids.need('space', step.key) };
    await seeFirstPages(context, step);
    const begun = await withLostFieldsOf(context, step, into);
    if (begun !== null) return begun;
    const made = await contentOf(context, into);
    const source = { space: step.key };
    const { pages, files } = sentFirst(context, source);
    const filled = { into, made, outcome: { newId: made.id, map: mapContent(context, { source, made }) } };
    const first = firstPages(context, step, filled);
    if (flatten(made.pages).length - first.length < pages || made.files.length < files) return null;
    ownWhereImported(context, source, made);
    return broughtAlone(context, step, filled);
  },
};

/** How many pages and files the first import of a space brings: link pages wait for what they refer to. */
function sentFirst({ reader, addresses }: ApplyContext, source: ContentSource): { pages: number; files: number } {
  const linkPages = new LinkPages(reader, source, addresses);
  let pages = 0;
  for (const page of reader.outline('page', source.space))
    if (page.holds && !linkPages.isLate(page) && !linkPages.isBeyondImport(page)) pages += 1;
  return { pages, files: reader.count('file', source.space) };
}

async function bringAlone(context: ApplyContext, step: PlanStep, job: ImportJob): Promise<StepOutcome> {
  return broughtAlone(context, step, await bringWhole(context, step, job));
}

/** Without the pages that the space began with, and with what the import did not take over. */
async function broughtAlone(context: ApplyContext, step: PlanStep, filled: Filled): Promise<StepOutcome> {
  const { into, made } = filled;
  const outcome = { ...(await withoutFirstPages(context, step, filled)), ...broughtAtOf(made) };
  return withLostFields(context, step, { into, pages: made.pages, outcome });
}

function bringWhole(context: ApplyContext, step: PlanStep, job: ImportJob): Promise<Filled> {
  // What was begun by edits goes on so, also where the import comes back meanwhile.
  if (wasInserted(context, step)) return insertWhole(context, step, job);
  return importOrInsert(context, job.into, {
    byImport: async () => (await importWhole(context, step, job)) ?? insertWhole(context, step, job),
    byEdits: () => insertWhole(context, step, job),
  });
}

async function importForReview(context: ApplyContext, step: PlanStep, spaceId: string): Promise<StepOutcome> {
  const subject = reviewSubject(context.plan);
  const begun = await findReview(context, spaceId);
  settleWhereLast(context.journal, step.key, begun?.createdAt);
  const changeRequestId = begun?.id ?? (await createCalled(context, subject, spaceId)).id;
  const job = { source: { space: step.key }, into: { spaceId, changeRequestId } };
  return ownWhereUntouched(context, job, () => bringAlone(context, step, job));
}

/** The change request that an earlier try has left behind: the space is new, so only the restore can have made it. */
export function findReview(context: ApplyContext, spaceId: string): Promise<ChangeRequest | null> {
  return findBySubject(context, reviewSubject(context.plan), { spaceId, among: ['draft'] });
}

/** The same once more, now that the pages of other spaces have their new ids: by an import where that leaves the pages that stand. */
export const importLinks: StepWork = {
  write: async (context, step) => {
    const spaceId = context.ids.need('space', step.key);
    const changeRequestId = context.plan.review ? (await findReview(context, spaceId))?.id : undefined;
    if (context.plan.review && changeRequestId === undefined) return withLacks(nothing, [MERGED_EARLY]);
    const into = changeRequestId === undefined ? { spaceId } : { spaceId, changeRequestId };
    const unchanged = await withoutChanged(context, step, { source: { space: step.key }, into });
    const begun = await withLostFieldsOf(unchanged.context, step, into);
    if (begun !== null) return begun;
    const source = await withLeads(unchanged.context, { space: step.key }, into);
    const job = { source, into };
    const bring = async (): Promise<StepOutcome> =>
      withLostFields(unchanged.context, step, {
        into,
        pages: null,
        outcome: withLacks(await bringLinks(unchanged.context, step, job), unchanged.lacks),
      });
    return context.plan.review ? bring() : ownWhereUntouched(context, job, bring);
  },
  find: null,
};

async function bringLinks(context: ApplyContext, step: PlanStep, job: ImportJob): Promise<StepOutcome> {
  const byEdits = (): Promise<StepOutcome> => insertLinks(context, step, job);
  const over = await overStanding(context, step);
  if (over === 'keeps')
    return importOrInsert(context, job.into, {
      byImport: async () => (await importLate(context, step, job)) ?? byEdits(),
      byEdits,
    });
  const outcome =
    over === 'by edits'
      ? await byEdits()
      : withLacks(nothing, [leftFor(over, 'its links into other spaces are as they were written')]);
  // Link pages, which only an import makes.
  const late = pagesLost(context, job.source, ({ key }) => context.ids.get('page', key) !== undefined);
  return withLacks(
    outcome,
    late.length === 0 ? [] : [`not there, as only an import makes links: ${pagesNamed(late.map(titleOf))}`],
  );
}

export const MERGED_EARLY =
  'its change request is no longer a draft: links into other spaces, and titles that an import does not keep, are as they were when somebody took it up';

export const importChangeRequest: StepWork = {
  write: async (context, step) => {
    const request = changeRequestOf(context, step);
    const content = { space: spaceOf(request), changeRequest: request.id };
    const into = {
      spaceId: context.ids.need('space', content.space),
      changeRequestId: context.ids.need('change-request', request.key),
    };
    await demandRequestAsSeen(context, step);
    const twice = await placedBack(context, content, into);
    const source = await withLeads(context, content, into);
    const job = { source, into };
    const brought = await ownWhereUntouched(context, job, () => bringProposed(context, step, job));
    if (brought === null) return withLacks(nothing, [leftFor('doubles', 'what it proposes is not in it')]);
    const { outcome } = brought;
    const linked = await withLinks(context, { source, path: into, outcome: withLacks(outcome, twice) });
    const whole = await withBeside(context, { source, path: into, outcome: linked });
    const left = await withoutLeft(context, step, { path: into, outcome: whole });
    return wasInserted(context, step) ? withLacks(left, await settleSlugs(context, into, left)) : left;
  },
  find: null,
};

/** Null where it cannot come in. */
async function bringProposed(context: ApplyContext, step: PlanStep, job: ImportJob): Promise<Filled | null> {
  const over = await overStanding(context, step);
  if (over === 'by edits') return insertWhole(context, step, job);
  if (over === 'doubles') return null;
  const filled = await bringWhole(context, step, job);
  return over === 'keeps' ? filled : { ...filled, outcome: withProblems(filled.outcome, [REPLACES]) };
}

const REPLACES = 'an import puts pages of its own in place of those that stand: merged, its pages have other ids';

/** In place: what has come into a change request that stands. Where an import has put a page that came back, it stays. */
export const removeFromRequest: StepWork = {
  write: async (context, step) => {
    await demandRequestAsSeen(context, step);
    const [spaceId = '', changeRequestId = ''] = step.key.split('/');
    const back = new Set(context.ids.idsOf('change-request-page'));
    const added = (step.pages?.added ?? []).filter(({ id }) => !back.has(id));
    const left = new Map(added.map(({ id, title }) => [id, title]));
    const outcome: StepOutcome = { newId: null };
    return takenFrom(context, left, { path: { spaceId, changeRequestId }, outcome });
  },
  find: null,
};

type Imported = Pick<ImportedRequest, 'path' | 'outcome'>;

/** What was inserted has its links already. */
async function withLinks(context: ApplyContext, { source, path, outcome }: ImportedRequest): Promise<StepOutcome> {
  const made = outcome.map?.['change-request-page'];
  if (made === undefined) return outcome;
  context.ids.addAll(outcome.map ?? {});
  const request = `${source.space}/${source.changeRequest ?? ''}`;
  return withLacks(outcome, await writeProposedLinks(context, request, { path, made }));
}

/**
 * Neither an import nor an insertion takes anything away: what the change request does not have where the space has it goes by an edit.
 * What came back in its place, or is it, having been moved, is to stay.
 */
function withoutLeft(context: ApplyContext, step: PlanStep, imported: Imported): Promise<StepOutcome> {
  const made = Object.entries(imported.outcome.map?.['change-request-page'] ?? {});
  // Of links an import tells neither address nor id: which of two is the old one nobody knows.
  const isTold = (key: string): boolean =>
    wasInserted(context, step) || context.reader.one('change-request-page', key)?.body['type'] !== 'link';
  const brought = new Set(made.flatMap(([key, now]) => (isTold(key) ? [now] : [])));
  const left = new Map(
    (step.pages?.added ?? []).flatMap(({ id, title }) => {
      const now = context.ids.get('page', `${firstOf(step.key)}/${id}`);
      return now === undefined || brought.has(now) ? [] : [[now, title] as const];
    }),
  );
  return takenFrom(context, left, imported);
}

/** @param left Titles by id. */
async function takenFrom(
  context: ApplyContext,
  left: ReadonlyMap<string, string>,
  { path, outcome }: Imported,
): Promise<StepOutcome> {
  if (left.size === 0) return outcome;
  const { pages } = await contentOf(context, path);
  const there = flatten(pages).filter(({ id }) => left.has(id));
  const removals = removalsIn(pages, new Set(there.map(({ id }) => id)));
  const going = new Set(removals.map(({ page }) => page));
  const problems =
    (await sendChanges(context, path, removals)) === null
      ? ['the target has no operation that edits pages: what the change request takes away is still in it']
      : there.filter(({ id }) => !going.has(id)).map(({ id }) => staying(left.get(id) ?? id));
  return withLacks(outcome, problems);
}

function changeRequestOf(context: ApplyContext, step: PlanStep): Resource {
  const found = context.reader.one('change-request', step.key);
  if (!found) throw new Error(`change-request ${step.key} is not in the snapshot`);
  return found;
}
