// All of a content is sent: in one piece where that is allowed and taken, else in parts, without what the platform refuses in any way.
import type { ImportResult } from '../../../contract/index.ts';
import type { SpaceLayout } from '../../../export/index.ts';
import type { Outlined } from '../../../mirror/index.ts';
import { isUntaken } from '../../answers.ts';
import { dividedPart, halvedOrLeft, Refusals, type ImportPart } from '../../content/divided-parts.ts';
import {
  filesOfPart,
  NO_IMPORT_LIMITS,
  pagesInOrder,
  partsOf,
  withAncestors,
  withNeighbours,
  type ContentSource,
} from '../../content/import-parts.ts';
import { withOutlinesHeld } from '../../content/held-outlines.ts';
import { refusalOf, sendDivided } from '../../content/send-divided.ts';
import { asTaken, untakenContent } from '../../content/untaken-content.ts';
import { detailOf } from '../../journal/step-detail.ts';
import type { Untaken } from '../../journal/untaken.ts';
import { LinkPages } from '../../links/link-pages.ts';
import { pagesAsked } from '../../selection/chosen-content.ts';
import type { ApplyContext, PlanStep, StepOutcome } from '../../types.ts';
import { contentOf } from '../../target/content-there.ts';
import { divisibleContent } from './divisible-content.ts';
import {
  buildArchive,
  countedOf,
  importArchive,
  layoutOf,
  mapContent,
  offerArchive,
  sumOf,
  type PartContent,
} from './import-archive.ts';
import { mapImported } from './map-imported.ts';
import type { ImportJob } from './import-whole.ts';
import { leftFor, overStanding } from './over-standing.ts';

interface SentWhole extends Pick<StepOutcome, 'problem' | 'open' | 'linked'> {
  readonly revision: string;
  readonly imports: number;
  readonly layout?: SpaceLayout;
  /** What of it is known not to be as it was. */
  readonly lacks?: readonly string[];
  readonly untaken: readonly Untaken[];
}

interface WholeJob extends ImportJob {
  /** Of pages that stand nothing but links is to be set. */
  readonly isLate?: boolean;
}

/** Null where parts would not leave earlier ones: it has to go by edits then. */
export async function sendWhole(context: ApplyContext, step: PlanStep, job: WholeJob): Promise<SentWhole | null> {
  const known = untakenBefore(context, step, job);
  // What an earlier try left out stays out: pages below it have come to another place, and would be there twice.
  const refusals = new Refusals([...known, ...context.journal.untakenOf(step)]);
  const sending = { ...job, refusals, known };
  const parts = partsAllowed(context, job);
  if (parts !== null || refusals.untaken.length > 0)
    return sendParts(context, step, { ...sending, parts: parts ?? [wholePart(context, job)] });
  try {
    const ahead = step.part === 'content' && !context.plan.review ? await context.ahead.take(step) : null;
    await using archive = ahead ?? (await buildArchive(context, step, layoutOf(context, job.source)));
    const { layout } = archive;
    const result = await offerArchive(context, archive, job.into);
    return { revision: result.revision, imports: 1, layout, untaken: known, ...countedOf(result) };
  } catch (error) {
    if (!isUntaken(error) || isSelected(context, job)) throw error;
    const refused = { part: wholePart(context, job), refusals, ...refusalOf(error) };
    const instead = insteadOf(job)(divisibleContent(context.reader, job.source), refused);
    return sendParts(context, step, { ...sending, parts: instead });
  }
}

/** What was refused of the pages of a space is refused of those pages in what follows, too. */
function untakenBefore({ plan, journal }: ApplyContext, step: PlanStep, { source }: ImportJob): readonly Untaken[] {
  const first = plan.steps.find(
    ({ kind, part, key }) => kind === 'revision' && part === 'content' && key === source.space,
  );
  if (first === undefined || first.step === step.step) return [];
  const entry = journal.entries.find((one) => one.step === first.step);
  return entry === undefined ? [] : (detailOf(entry).untaken ?? []);
}

/** Of a selection of pages nobody can tell what is whole: that goes at once or not at all. */
function isSelected({ plan }: ApplyContext, { source }: ImportJob): boolean {
  return pagesAsked(plan, source) !== undefined;
}

function partsAllowed(context: ApplyContext, job: ImportJob): ImportPart[] | null {
  const limits = context.importLimits ?? NO_IMPORT_LIMITS;
  const parts = isSelected(context, job) ? null : partsOf(context.reader, job.source, limits);
  if (parts === null) return null;
  const beside = filesBeside(context, job);
  return parts.map((pages, at) => ({ pages, files: at === parts.length - 1 ? beside : [] }));
}

function wholePart(context: ApplyContext, job: ImportJob): ImportPart {
  const pages = pagesInOrder(context.reader, job.source);
  return { pages: pages.map(({ id }) => id), files: filesBeside(context, job) };
}

/** Files that no page shows. */
function filesBeside({ reader }: ApplyContext, { source }: ImportJob): string[] {
  const pages = pagesInOrder(reader, source);
  return [...filesOfPart(reader, source, { pages, part: new Set(), isLast: true })];
}

function insteadOf({ isLate = false }: WholeJob): typeof dividedPart {
  return isLate ? halvedOrLeft : dividedPart;
}

interface PartsJob extends WholeJob {
  readonly parts: readonly ImportPart[];
  readonly refusals: Refusals;
  /** What was refused before, and told then. */
  readonly known: readonly Untaken[];
}

interface EachJob extends PartsJob {
  readonly mayRepeat: boolean;
}

/** Each part in turn; then all once more, as links between them can be written only when every page has its id. Null as above. */
async function sendParts(applying: ApplyContext, step: PlanStep, job: PartsJob): Promise<SentWhole | null> {
  const { source, refusals, known } = job;
  const context = { ...applying, reader: withOutlinesHeld(applying.reader) };
  const over = await overStanding(context, step);
  if (over === 'by edits') return null;
  // Of an earlier try: its links are written at once, so that what is right already stays untouched.
  if (wasSplit(context, step))
    context.ids.addAll(mapContent(context, { source, made: await contentOf(context, job.into) }));
  context.journal.keep(step, SPLIT);
  const each = { ...job, mayRepeat: over === 'keeps' };
  const first = await sendEach(context, step, each);
  context.ids.addAll((await mapImported(asFarAsTaken(context, source, refusals.untaken), job, first)).map);
  const linking = first.parts.filter(({ pages }) => pages.some((page) => !refusals.isBare(page)));
  const isAgain = each.mayRepeat && first.parts.length > 1 && linking.length > 0;
  const again = isAgain ? await sendEach(context, step, { ...each, parts: linking, isLate: true }) : first;
  const own = refusals.untaken.filter((one) => !known.includes(one));
  const left = over === 'keeps' ? [] : [leftFor(over, LINKS_BETWEEN)];
  return {
    revision: again.revision,
    imports: first.parts.length,
    ...toldOf(job, first.told, own),
    untaken: refusals.untaken,
    lacks: [
      ...left,
      ...untakenContent(
        context.reader,
        source,
        own.filter(({ what }) => what !== 'links'),
      ),
    ],
  };
}

/** What a later import may bring, and what this one brought of an earlier one. */
function toldOf(
  { refusals, known }: PartsJob,
  told: Partial<ImportResult>,
  own: readonly Untaken[],
): Pick<StepOutcome, 'problem' | 'open' | 'linked'> {
  const counted = countedOf(told);
  const unlinked = own.filter(({ what }) => what === 'links');
  const linked = known.filter((one) => one.what === 'links' && refusals.untaken.includes(one)).map(({ id }) => id);
  return {
    ...counted,
    ...(unlinked.length === 0 ? {} : { open: { ...counted.open, unlinked } }),
    ...(linked.length === 0 ? {} : { linked }),
  };
}

const LINKS_BETWEEN = 'it went in parts, and links between them are as they were written';

interface SentParts {
  readonly parts: readonly ImportPart[];
  readonly revision: string;
  /** Of all parts; not there where the platform did not say of each. */
  readonly told: Partial<ImportResult>;
}

async function sendEach(context: ApplyContext, step: PlanStep, job: EachJob): Promise<SentParts> {
  const { source, into, parts, refusals, mayRepeat } = job;
  let content = contentFor(context, job);
  let proven = context.journal.untakenOf(step);
  const send = async (part: ImportPart): Promise<ImportResult> => {
    if (content.untaken !== refusals.untaken) content = contentFor(context, job);
    // Before pages that stood below come elsewhere: a later try must know it.
    const left = leftOut(job);
    noteLeft(context, step, left);
    const layout = layoutOf(content.own, source, partContent(content, job, part));
    const result = await importArchive(content.own, step, { layout, into });
    proven = left;
    return result;
  };
  const from = divisibleContent(context.reader, source);
  try {
    const sending = { parts, refusals, from, send, instead: insteadOf(job), mayRepeat };
    const sent = await sendDivided<ImportResult>(context, sending);
    const results = sent?.answers ?? [];
    return { parts: sent?.parts ?? [], revision: results.at(-1)?.revision ?? '', told: sumOf(results) };
  } catch (error) {
    if (isUntaken(error)) noteLeft(context, step, proven);
    throw error;
  }
}

/** Pages that this step does not bring. */
function leftOut({ refusals, known }: PartsJob): readonly Untaken[] {
  return refusals.untaken.filter((one) => one.kind === 'page' && one.what === 'all' && !known.includes(one));
}

function noteLeft({ journal }: ApplyContext, step: PlanStep, left: readonly Untaken[]): void {
  if (left.length !== journal.untakenOf(step).length) journal.keepUntaken(step, left);
}

interface TakenContent {
  readonly own: ApplyContext;
  readonly pages: readonly Outlined[];
  readonly untaken: readonly Untaken[];
}

function contentFor(context: ApplyContext, { source, refusals: { untaken } }: PartsJob): TakenContent {
  const own = asFarAsTaken(context, source, untaken);
  return { own, pages: pagesInOrder(own.reader, source), untaken };
}

function partContent({ own, pages }: TakenContent, { source, refusals }: PartsJob, part: ImportPart): PartContent {
  const linkPages = new LinkPages(own.reader, source, own.addresses);
  const isNew = (page: Outlined): boolean => source.leads !== undefined && linkPages.isLate(page);
  const along = withAncestors(pages, withNeighbours(pages, part.pages, isNew));
  const shown = filesOfPart(own.reader, source, { pages, part: along, isLast: false });
  return { pages: along, files: new Set([...[...shown].filter((file) => !refusals.apart.has(file)), ...part.files]) };
}

/** With the pages of a content as far as the target takes them. */
export function asFarAsTaken(context: ApplyContext, source: ContentSource, untaken: readonly Untaken[]): ApplyContext {
  return untaken.length === 0 ? context : { ...context, reader: asTaken(context.reader, source, untaken) };
}

// Begins the words that a step keeps of it.
export const SPLIT = 'in';

/** True for a step of which an earlier try went in parts: that all pages are there does not mean that their links are right. */
export function wasSplit({ journal }: ApplyContext, step: PlanStep): boolean {
  return journal.keptOf(step)?.startsWith(SPLIT) === true;
}
