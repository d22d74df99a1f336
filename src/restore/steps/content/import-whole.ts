// All of a content is imported, and what the platform made of it is mapped.
import type { Outlined } from '../../../mirror/index.ts';
import { pagesInOrder, type ContentSource } from '../../content/import-parts.ts';
import { LinkPages } from '../../links/link-pages.ts';
import { pagesAsked } from '../../selection/chosen-content.ts';
import type { ApplyContext, PlanStep, StepOutcome } from '../../types.ts';
import { withLacks } from '../../with-problems.ts';
import type { ContentPath } from '../../target/content-there.ts';
import type { Filled } from './first-pages.ts';
import { mapImported, notFound } from './map-imported.ts';
import { nothing } from '../original.ts';
import { asFarAsTaken, sendWhole, SPLIT } from './send-whole.ts';

/** What is brought, and where it goes. */
export interface ImportJob {
  readonly source: ContentSource;
  readonly into: ContentPath;
}

/** Imports all of a source and maps what the platform made of it; null where that has to go by edits. */
export async function importWhole(context: ApplyContext, step: PlanStep, job: ImportJob): Promise<Filled | null> {
  const sent = await sendWhole(context, step, job);
  if (sent === null) return null;
  const { revision, imports, layout, untaken, lacks = [], ...told } = sent;
  const own = asFarAsTaken(context, job.source, untaken);
  const { made, map } = await mapImported(own, job, { revision, layout });
  const how = imports > 1 ? { how: `${SPLIT} ${imports} imports` } : {};
  const kept = untaken.length === 0 ? {} : { untaken };
  const brought = { newId: revision, map, ...how, ...kept, ...told };
  const outcome = withLacks(withNotFound(brought, notFound(own, job.source, map)), lacks);
  return { into: job.into, made, outcome };
}

/**
 * Imports what is there already once more, and maps the link pages that come with it, and pages that an earlier import had not brought;
 * null where that has to go by edits.
 */
export async function importLate(context: ApplyContext, step: PlanStep, job: ImportJob): Promise<StepOutcome | null> {
  const sent = await sendWhole(context, step, { ...job, isLate: true });
  if (sent === null) return null;
  const { revision, imports: _imports, layout, untaken, lacks = [], ...told } = sent;
  const own = asFarAsTaken(context, job.source, untaken);
  const linkPages = new LinkPages(context.reader, job.source, context.addresses);
  const pages = pagesInOrder(own.reader, job.source).filter(({ key }) => isAsked(context, job, key));
  const late = pages.filter((page) => linkPages.isLate(page));
  const lost = pages.filter((page) => !late.includes(page) && context.ids.get('page', page.key) === undefined);
  if (late.length + lost.length === 0) return withLacks({ ...nothing, ...told }, lacks);
  const { map } = await mapImported(own, job, { revision, layout });
  const isMade = ({ key }: Outlined): boolean => map.page?.[key] !== undefined;
  const made = [...late, ...lost].filter(isMade).map(({ key }) => [key, map.page?.[key] ?? ''] as const);
  const outcome = { ...nothing, map: { page: Object.fromEntries(made) }, ...told };
  // Of what was to come earlier that step tells.
  const isLate = new Set(late.map(({ key }) => key));
  const still = Object.entries(notFound(own, job.source, map)).filter(([key]) => isLate.has(key));
  return withLacks(withNotFound(outcome, Object.fromEntries(still)), lacks);
}

function withNotFound(outcome: StepOutcome, lost: Record<string, string>): StepOutcome {
  return Object.keys(lost).length === 0 ? outcome : { ...outcome, open: { ...outcome.open, notFound: lost } };
}

function isAsked({ plan }: ApplyContext, { source }: ImportJob, key: string): boolean {
  return pagesAsked(plan, source)?.has(key) !== false;
}
