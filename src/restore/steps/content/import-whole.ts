// All of a content is imported, and what the platform made of it is mapped.
import { pagesInOrder, type ContentSource } from '../../content/import-parts.ts';
import { LinkPages } from '../../links/link-pages.ts';
import type { ApplyContext, PlanStep, StepOutcome } from '../../types.ts';
import { withLacks } from '../../with-problems.ts';
import type { ContentPath } from '../../target/content-there.ts';
import type { Filled } from './first-pages.ts';
import { mapImported, notFoundWords } from './map-imported.ts';
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
  const lost = notFoundWords(own, job.source, map);
  const kept = untaken.length === 0 ? {} : { untaken };
  const outcome = withLacks({ newId: revision, map, ...how, ...kept, ...told }, [...lacks, ...lost]);
  return { into: job.into, made, outcome };
}

/** Imports what is there already once more, and maps the link pages that come with it; null where that has to go by edits. */
export async function importLate(context: ApplyContext, step: PlanStep, job: ImportJob): Promise<StepOutcome | null> {
  const sent = await sendWhole(context, step, { ...job, isLate: true });
  if (sent === null) return null;
  const { revision, imports: _imports, layout, untaken, lacks = [], ...told } = sent;
  const own = asFarAsTaken(context, job.source, untaken);
  const linkPages = new LinkPages(context.reader, job.source, context.addresses);
  const late = pagesInOrder(own.reader, job.source).filter((page) => linkPages.isLate(page));
  if (late.length === 0) return withLacks({ ...nothing, ...told }, lacks);
  const { map } = await mapImported(own, job, { revision, layout });
  const made = late.flatMap(({ key }) => (map.page?.[key] === undefined ? [] : [[key, map.page[key]] as const]));
  const outcome = { ...nothing, map: { page: Object.fromEntries(made) }, ...told };
  return withLacks(outcome, [...lacks, ...notFoundWords(own, job.source, map)]);
}
