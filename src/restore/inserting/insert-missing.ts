// In a space that stands, without an import: its missing pages and files are inserted into the change request of the step.
import type { Revision } from '../../contract/index.ts';
import type { ContentSource } from '../content/import-parts.ts';
import type { StepOutcome, ApplyContext, PageMend, PlanStep } from '../types.ts';
import { belowOf, mapMissing, missingById, standingIds } from '../steps/pages/missing-map.ts';
import { contentOf, type RequestPath } from '../target/content-there.ts';
import { contentOfSource } from './insert-content.ts';
import { adoptFiles, insertFiles, type WantedFile } from './insert-files.ts';
import { insertPages } from './insert-pages.ts';
import { adoptPages, type WantedPage } from './page-insertion.ts';
import { lacksOf } from './stand-ins.ts';
import { keepInserted, lackedImport } from './was-inserted.ts';
import { ownStep } from '../steps/pages/untaken-pages.ts';
import { renamed } from '../special/page-places.ts';

export interface Brought {
  /** What stands in the change request then. */
  readonly made: Revision;
  /** What may be missing. */
  readonly told: Pick<StepOutcome, 'problem' | 'isLacking'>;
}

/** Inserts them below what stands, each by the name that it comes back under; their order is settled with that of all others. */
export async function insertMissing(context: ApplyContext, step: PlanStep, path: RequestPath): Promise<Brought> {
  // That some of it is there does not mean that all is: a later try goes on with it.
  keepInserted(context, step);
  const { wanted, files, keeping } = missingOf(context, step);
  const begun = await contentOf(context, path);
  const refused = await insertFiles(
    context,
    { path, wanted: files, others: standingIds(context, step, 'file') },
    begun,
  );
  const others = standingIds(context, step, 'page');
  const { made, lacks, untaken } = await insertPages(context, { path, wanted, others });
  // What becomes of those below them is for the edits to know, too.
  if (untaken.length + context.journal.untakenOf(step).length > 0) context.journal.keepUntaken(step, untaken);
  mapMissing(context, ownStep(context, step, made), made);
  const problems = [...refused, ...keeping, ...lacks, ...lacksOf(context, step, { pages: wanted, made: made.pages })];
  return { made, told: problems.length === 0 ? {} : { problem: problems.join('; '), isLacking: true } };
}

/** Notes what an earlier try has inserted; says what it lacks. */
export function adoptMissing(context: ApplyContext, step: PlanStep, made: Revision): string[] {
  const { wanted, files, keeping } = missingOf(context, step);
  adoptFiles(context, { wanted: files, others: standingIds(context, step, 'file') }, made);
  adoptPages(context, { wanted, others: standingIds(context, step, 'page') }, made.pages);
  const lost = files.filter(({ kind, key }) => context.ids.get(kind, key) === undefined);
  const without = lost.map(({ name }) => `file ${name} is not in what an earlier try merged`);
  return [...without, ...keeping, ...lacksOf(context, step, { pages: wanted, made: made.pages })];
}

interface Wanted {
  readonly wanted: readonly WantedPage[];
  readonly files: readonly WantedFile[];
  /** What is said of files that stand, and hold something else now. */
  readonly keeping: readonly string[];
}

function missingOf(context: ApplyContext, step: PlanStep): Wanted {
  const source: ContentSource = { space: step.key };
  const missing = missingById(step);
  const files = new Set((step.pages?.files ?? []).map(({ id }) => `${step.key}/${id}`));
  const all = contentOfSource(context, source);
  const wanted = all.pages.flatMap((page) => {
    const mend = missing.get(page.id);
    return mend === undefined ? [] : [asMissing(context, step, { page, mend })];
  });
  const asked = all.files.filter(({ key }) => files.has(key));
  const standing = asked.filter(({ key }) => context.live?.one('file', key) !== undefined);
  return {
    wanted,
    files: asked.filter((file) => !standing.includes(file)),
    keeping: standing.map(
      ({ name }) =>
        `file ${name} keeps what it holds now: ${lackedImport(context, step)}, and no edit writes over a file`,
    ),
  };
}

interface Missing {
  readonly page: WantedPage;
  readonly mend: PageMend;
}

function asMissing(context: ApplyContext, step: PlanStep, { page, mend }: Missing): WantedPage {
  return { ...page, above: belowOf(context, step, mend), body: renamed(page.body, mend.importedAs) };
}
