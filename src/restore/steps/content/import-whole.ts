// Content goes in by one import, or by several where limits ask for it: those that are set, or those that the platform shows by refusing.
import { count, few } from '../../../base/index.ts';
import type { ImportResult, Revision } from '../../../contract/index.ts';
import type { SpaceLayout } from '../../../export/index.ts';
import type { Outlined } from '../../../mirror/index.ts';
import {
  filesOfPart,
  halved,
  kindsOf,
  NO_IMPORT_LIMITS,
  pagesInOrder,
  partsOf,
  withAncestors,
  withNeighbours,
  type ContentSource,
  type Part,
} from '../../content/import-parts.ts';
import { LinkPages } from '../../links/link-pages.ts';
import { titleOf } from '../../resource.ts';
import type { ApplyContext, PlanStep, StepOutcome } from '../../types.ts';
import { withLacks } from '../../with-problems.ts';
import { contentAfter, contentOf, type ContentPath } from './content-there.ts';
import type { Filled } from './first-pages.ts';
import { buildArchive, importArchive, layoutOf, mapContent, offerArchive, problemOf, sumOf } from './import-archive.ts';
import { nothing } from '../original.ts';
import { isUntaken } from '../../answers.ts';
import { leftFor, overStanding } from './over-standing.ts';

/** What is brought, and where it goes. */
export interface ImportJob {
  readonly source: ContentSource;
  readonly into: ContentPath;
}

interface Sent extends Pick<StepOutcome, 'problem' | 'isLacking'> {
  readonly revision: string;
  readonly imports: number;
  readonly layout?: SpaceLayout;
  /** What of it is known not to be as it was. */
  readonly lacks?: readonly string[];
}

/** Imports all of a source and maps what the platform made of it; null where that has to go by edits. */
export async function importWhole(context: ApplyContext, step: PlanStep, job: ImportJob): Promise<Filled | null> {
  const sent = await sendWhole(context, step, job);
  if (sent === null) return null;
  const { revision, imports, layout, lacks = [], ...told } = sent;
  const { made, map } = await mapImported(context, job, { revision, layout });
  const how = imports > 1 ? { how: `${SPLIT} ${imports} imports` } : {};
  const lost = notFound(context, job.source, map);
  const outcome = withLacks({ newId: revision, map, ...how, ...told }, [...lacks, ...lost]);
  return { into: job.into, made, outcome };
}

/** Imports what is there already once more, and maps the link pages that come with it; null where that has to go by edits. */
export async function importLate(context: ApplyContext, step: PlanStep, job: ImportJob): Promise<StepOutcome | null> {
  const sent = await sendWhole(context, step, job);
  if (sent === null) return null;
  const { revision, imports: _imports, layout, ...told } = sent;
  const linkPages = new LinkPages(context.reader, job.source, context.addresses);
  const late = pagesInOrder(context.reader, job.source).filter((page) => linkPages.isLate(page));
  if (late.length === 0) return { ...nothing, ...told };
  const { map } = await mapImported(context, job, { revision, layout });
  const made = late.flatMap(({ key }) => (map.page?.[key] === undefined ? [] : [[key, map.page[key]] as const]));
  const outcome = { ...nothing, map: { page: Object.fromEntries(made) }, ...told };
  return withLacks(outcome, notFound(context, job.source, map));
}

type Made = NonNullable<StepOutcome['map']>;

interface Mapped {
  /** What stands there then. */
  readonly made: Revision;
  readonly map: Made;
}

/** Waits for what was imported to be shown. */
async function mapImported(
  context: ApplyContext,
  { source, into }: ImportJob,
  { revision, layout }: { readonly revision: string; readonly layout?: SpaceLayout | undefined },
): Promise<Mapped> {
  const mapped = (made: Revision): Made => mapContent(context, { source, made, layout });
  const isAll = (made: Revision): boolean => notFound(context, source, mapped(made)).length === 0;
  const made = await contentAfter(context, { into, revision, isAll });
  return { made, map: mapped(made) };
}

const MOST_NAMED = 5;

/** Said of pages that were imported and that the platform shows nowhere. */
function notFound(context: ApplyContext, source: ContentSource, map: Made): string[] {
  const kind = kindsOf(source).pages[0];
  const lost = pagesLost(context, source, ({ key }) => map[kind]?.[key] !== undefined);
  return lost === null ? [] : [`not found among what the platform imported: ${lost}`];
}

/** The pages that were to come and are not there, in words; null where all are. */
export function pagesLost(
  context: ApplyContext,
  source: ContentSource,
  isThere: (page: Outlined) => boolean,
): string | null {
  const only = source.changeRequest === undefined ? context.plan.only.page : undefined;
  const asked = only && new Set(only);
  const linkPages = new LinkPages(context.reader, source, context.addresses);
  // Of links, some come with a later import, and some with none, as the plan says.
  const isSent = (page: Outlined): boolean =>
    !linkPages.isBeyondImport(page) && (source.leads !== undefined || !linkPages.isLate(page));
  const isLost = (page: Outlined): boolean => !isThere(page) && asked?.has(page.key) !== false && isSent(page);
  const lost = pagesInOrder(context.reader, source).filter(isLost);
  return lost.length === 0 ? null : `${count(lost.length, 'page')} (${few(lost.map(titleOf), MOST_NAMED)})`;
}

/** Imports all of a source: in one piece where that is allowed and taken, else in parts; null where parts would not leave earlier ones. */
async function sendWhole(context: ApplyContext, step: PlanStep, job: ImportJob): Promise<Sent | null> {
  // Of a selection of pages nobody can tell what is whole.
  const isSelected = job.source.changeRequest === undefined && context.plan.only['page'] !== undefined;
  const limits = isSelected ? NO_IMPORT_LIMITS : (context.importLimits ?? NO_IMPORT_LIMITS);
  const parts = partsOf(context.reader, job.source, limits);
  if (parts !== null) return sendParts(context, step, { ...job, parts });
  try {
    const ahead = step.part === 'content' && !context.plan.review ? await context.ahead.take(step) : null;
    await using archive = ahead ?? (await buildArchive(context, step, layoutOf(context, job.source)));
    const { layout } = archive;
    const result = await offerArchive(context, archive, job.into);
    return { revision: result.revision, imports: 1, layout, ...problemOf(result) };
  } catch (error) {
    const halves = isUntaken(error) && !isSelected ? halvesOf(context, job) : null;
    if (halves === null) throw error;
    return sendParts(context, step, { ...job, parts: halves });
  }
}

function halvesOf({ reader }: ApplyContext, { source }: ImportJob): readonly Part[] | null {
  return halved(pagesInOrder(reader, source).map(({ id }) => id));
}

interface PartsJob extends ImportJob {
  readonly parts: readonly Part[];
}

/** Each part in turn; then all once more, as links between them can be written only when every page has its id. Null as above. */
async function sendParts(context: ApplyContext, step: PlanStep, job: PartsJob): Promise<Sent | null> {
  const over = await overStanding(context, step);
  if (over === 'by edits') return null;
  // Of an earlier try: its links are written at once, so that what is right already stays untouched.
  if (wasSplit(context, step))
    context.ids.addAll(mapContent(context, { source: job.source, made: await contentOf(context, job.into) }));
  context.journal.keep(step, SPLIT);
  const first = await sendEach(context, step, job);
  context.ids.addAll((await mapImported(context, job, first)).map);
  const done = { imports: first.parts.length, ...problemOf(first.told) };
  if (over !== 'keeps') return { revision: first.revision, ...done, lacks: [leftFor(over, LINKS_BETWEEN)] };
  const again = await sendEach(context, step, { ...job, parts: first.parts });
  return { revision: again.revision, ...done };
}

const LINKS_BETWEEN = 'it went in parts, and links between them are as they were written';

interface SentParts {
  readonly parts: readonly Part[];
  readonly revision: string;
  /** Of all parts; not there where the platform did not say of each. */
  readonly told: Partial<ImportResult>;
}

/** A part that the platform refuses is halved, down to single pages. */
async function sendEach(context: ApplyContext, step: PlanStep, { source, into, parts }: PartsJob): Promise<SentParts> {
  const pages = pagesInOrder(context.reader, source);
  const linkPages = new LinkPages(context.reader, source, context.addresses);
  const isNew = (page: Outlined): boolean => source.leads !== undefined && linkPages.isLate(page);
  const waiting = [...parts];
  const sent: Part[] = [];
  const results: Partial<ImportResult>[] = [];
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    const along = withAncestors(pages, withNeighbours(pages, part, isNew));
    const isLast = waiting.length === 0;
    const content = { pages: along, files: filesOfPart(context.reader, source, { pages, part: along, isLast }) };
    try {
      const result = await importArchive(context, step, { layout: layoutOf(context, source, content), into });
      sent.push(part);
      results.push(result);
    } catch (error) {
      const halves = isUntaken(error) ? halved(part) : null;
      if (halves === null) throw error;
      waiting.unshift(...halves);
    }
  }
  return { parts: sent, revision: results.at(-1)?.revision ?? '', told: sumOf(results) };
}

// Begins the words that a step keeps of it.
const SPLIT = 'in';

/** True for a step of which an earlier try went in parts: that all pages are there does not mean that their links are right. */
export function wasSplit({ journal }: ApplyContext, step: PlanStep): boolean {
  return journal.keptOf(step)?.startsWith(SPLIT) === true;
}
